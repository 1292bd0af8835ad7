// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.jobgate.limits.Limit;

/**
 * What a site wants of protected messages.
 *
 * @param byDefault of services that are not named
 * @param services by the names of services
 * @param sha1 whether signatures and digests with SHA-1 are taken, as GT4's own clients make them
 * @param maxAge the longest time between a message's {@code Created} and its arrival, and its {@code Expires}
 * @param skew how far a client's clock may be ahead
 * @param tokenCharacters characters of a token as it is written in the message
 * @param depth elements within elements
 * @param remembered messages that are remembered, against replays
 * @param unaddressed services to which messages need not say for whom they are
 * @param names by which clients reach the gateway
 * @param conversations security contexts
 */
public record SecuritySettings(
        Protection byDefault,
        Map<String, Protection> services,
        boolean sha1,
        Duration maxAge,
        Duration skew,
        Limit tokenCharacters,
        Limit depth,
        Limit remembered,
        Unaddressed unaddressed,
        KnownNames names,
        ConversationSettings conversations) {

    public SecuritySettings {
        requireNonNull(byDefault, "byDefault is null");
        services = Map.copyOf(services);
        requireNonNull(maxAge, "maxAge is null");
        requireNonNull(skew, "skew is null");
        requireNonNull(tokenCharacters, "tokenCharacters is null");
        requireNonNull(depth, "depth is null");
        requireNonNull(remembered, "remembered is null");
        requireNonNull(unaddressed, "unaddressed is null");
        requireNonNull(names, "names is null");
        requireNonNull(conversations, "conversations is null");
    }

    /** What holds for the messages of this service. */
    public Protection of(String service) {
        return services.getOrDefault(service, byDefault);
    }
}
