// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs of GT 4.2 clients live (facts/gram4.md section 3.6). GT 4.0 has no such rules.
 *
 * @param keptAfterProcessing how long a job without a termination time is kept from its end on
 * @param longest no termination time may be later from now than this; absent means no such bound
 */
public record LifetimeRules(
        Duration keptAfterProcessing, @Nullable Duration longest) {

    public LifetimeRules {
        requireNonNull(keptAfterProcessing, "keptAfterProcessing is null");
        if (keptAfterProcessing.isNegative() || (longest != null && longest.isNegative())) {
            throw new IllegalArgumentException("a lifetime is negative: " + keptAfterProcessing + ", " + longest);
        }
    }

    /** Those of the original: a day after the end, and a year. */
    public static LifetimeRules defaults() {
        return new LifetimeRules(Duration.ofDays(1), Duration.ofDays(365));
    }

    /** Why this time is not allowed; empty where it is. */
    Optional<String> refusal(@Nullable Instant time, Instant now) {
        if (time == null || longest == null || !time.isAfter(now.plus(longest))) {
            return Optional.empty();
        }
        return Optional.of("The termination time " + time + " is more than maxJobLifetime = " + longest.toSeconds()
                + " s from now. Ask for an earlier one, or for none: then the job runs to its end.");
    }
}
