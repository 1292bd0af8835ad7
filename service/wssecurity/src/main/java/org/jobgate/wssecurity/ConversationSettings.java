// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Set;
import org.jobgate.limits.Limit;

/**
 * What a site wants of conversations: security contexts that a client opens by one message and protects further ones with
 * (WS-SecureConversation).
 *
 * @param services at which contexts are opened and used, by their names, or {@value #ALL}; none if empty
 * @param lifetime the longest life of a context, from its opening or its renewal
 * @param total contexts at a time
 * @param ofOne contexts of one person at a time
 */
public record ConversationSettings(Set<String> services, Duration lifetime, Limit total, Limit ofOne) {

    /** In the place of a service's name: every service whose messages are protected. */
    public static final String ALL = "all";

    public ConversationSettings {
        services = Set.copyOf(services);
        requireNonNull(lifetime, "lifetime is null");
        requireNonNull(total, "total is null");
        requireNonNull(ofOne, "ofOne is null");
    }

    /** Whether this service takes part in conversations. */
    public boolean includes(String service) {
        return services.contains(ALL) || services.contains(service);
    }
}
