// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import java.time.Duration;
import java.util.List;

/**
 * What tokens are held to.
 *
 * @param audiences a token must be meant for one of these
 * @param anyAudience whether a token that is meant for every service is taken too
 * @param requiredScopes a token must have each of these
 * @param maxBytes a longer token is not looked at
 * @param maxLifetime from {@code iat} (or {@code nbf}) to {@code exp}; a token that is valid for longer is refused
 * @param skew how far clocks may differ
 * @param keysFresh how long an issuer's keys are used before they are fetched again
 * @param keysGrace for how long after that they are used if the issuer cannot be reached
 * @param keysPause the least time between two tries to fetch them
 */
public record TokenSettings(
        List<String> audiences,
        boolean anyAudience,
        List<String> requiredScopes,
        int maxBytes,
        Duration maxLifetime,
        Duration skew,
        Duration keysFresh,
        Duration keysGrace,
        Duration keysPause) {

    public TokenSettings {
        audiences = List.copyOf(audiences);
        requiredScopes = List.copyOf(requiredScopes);
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException("no audience: no token could be meant for this service");
        }
    }
}
