// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs live, as clients of one generation know it (facts/gram4.md section 3.6).
 *
 * @param keptAfterProcessing how long a job without a termination time is kept from its end on; absent means as long as the service
 *     keeps finished jobs
 * @param longest no termination time may be later from now than this; absent means no such bound
 * @param byDefault a job without a termination time gets one so long after its submission; absent means none
 */
public record LifetimeRules(
        @Nullable Duration keptAfterProcessing,
        @Nullable Duration longest,
        @Nullable Duration byDefault) {

    public LifetimeRules {
        requireNotNegative(keptAfterProcessing);
        requireNotNegative(longest);
        requireNotNegative(byDefault);
    }

    private static void requireNotNegative(@Nullable Duration time) {
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a lifetime is negative: " + time);
        }
    }

    /** Those of the originals: GT 4.0 had none; GT 4.2 kept jobs a day after their end, and a year at most. */
    public static Map<Generation, LifetimeRules> defaults() {
        Map<Generation, LifetimeRules> rules = new EnumMap<>(Generation.class);
        rules.put(Generation.GT40, new LifetimeRules(null, null, null));
        rules.put(Generation.GT42, new LifetimeRules(Duration.ofDays(1), Duration.ofDays(365), null));
        return rules;
    }

    /** Why this time is not allowed; empty where it is. */
    Optional<Fault> refusal(@Nullable Instant time, Instant now) {
        if (time == null || longest == null || !time.isAfter(now.plus(longest))) {
            return Optional.empty();
        }
        return Optional.of(Fault.of(
                FaultCode.INVALID_TERMINATION_TIME,
                "The termination time " + time + " is more than maxJobLifetime = " + longest.toSeconds()
                        + " s from now.",
                "Ask for an earlier one, or for none: then the job runs to its end."));
    }

    /** When a job that is submitted without a termination time is to be ended; absent means never. */
    @Nullable
    Instant initial(Generation generation, Instant now) {
        return byDefault == null ? endless(generation, now) : now.plus(byDefault);
    }

    /** What a wish for no end is granted as: to a GT 4.0 client, for which it means for ever, the longest time where there is one. */
    @Nullable
    Instant endless(Generation generation, Instant now) {
        return generation == Generation.GT42 || longest == null ? null : now.plus(longest);
    }
}
