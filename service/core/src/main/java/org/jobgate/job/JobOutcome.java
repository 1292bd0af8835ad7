// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended. Settled once, before the clean-up; it decides the terminal state.
 *
 * @param outcome the terminal state
 * @param exitCode of its process, or the first that is not 0 where there were several; 128 + signal where a signal ended it
 * @param signal that ended it
 * @param wallTime from its start to its end in the LRM
 * @param fault why, where it did not run to its own end
 */
public record JobOutcome(
        JobState outcome,
        @Nullable Integer exitCode,
        @Nullable Integer signal,
        @Nullable Duration wallTime,
        @Nullable Fault fault) {

    public JobOutcome {
        requireNonNull(outcome, "outcome is null");
        if (!outcome.isTerminal()) {
            throw new IllegalArgumentException(outcome + " is not a terminal state");
        }
        if ((outcome == JobState.DONE) != (fault == null)) {
            throw new IllegalArgumentException(
                    "a fault belongs to every outcome but DONE, and to that never: " + outcome);
        }
    }

    /** It ran to its own end. */
    public static JobOutcome done(int exitCode, @Nullable Duration wallTime) {
        return new JobOutcome(JobState.DONE, exitCode, null, wallTime, null);
    }

    /** It could not run, or something ended it. */
    public static JobOutcome failed(Fault fault) {
        return new JobOutcome(JobState.FAILED, null, null, null, fault);
    }

    /** Somebody ended it. */
    public static JobOutcome cancelled(Fault fault) {
        return new JobOutcome(JobState.CANCELLED, null, null, null, fault);
    }

    /** The event that takes a cleaned-up job to its terminal state. */
    public JobEvent terminalEvent() {
        return switch (outcome) {
            case DONE -> JobEvent.COMPLETED;
            case FAILED -> JobEvent.FAILED;
            case CANCELLED -> JobEvent.CANCELLED;
            default -> throw new IllegalStateException(outcome + " is not a terminal state");
        };
    }
}
