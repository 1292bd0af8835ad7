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
 * @param used what it used in the LRM, as far as that is known
 */
public record JobOutcome(
        JobState outcome,
        @Nullable Integer exitCode,
        @Nullable Integer signal,
        @Nullable Duration wallTime,
        @Nullable Fault fault,
        @Nullable ResourceUse used) {

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

    /** An outcome of which it is not known what the job used. */
    public JobOutcome(
            JobState outcome,
            @Nullable Integer exitCode,
            @Nullable Integer signal,
            @Nullable Duration wallTime,
            @Nullable Fault fault) {
        this(outcome, exitCode, signal, wallTime, fault, null);
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

    /** The same outcome of a job that used this. */
    public JobOutcome withUse(@Nullable ResourceUse value) {
        return new JobOutcome(outcome, exitCode, signal, wallTime, fault, value);
    }

    /** The same outcome, with the times and resources of an earlier one where this one has none. */
    public JobOutcome after(@Nullable JobOutcome earlier) {
        return earlier == null
                ? this
                : new JobOutcome(
                        outcome,
                        exitCode,
                        signal,
                        wallTime == null ? earlier.wallTime : wallTime,
                        fault,
                        used == null ? earlier.used : used);
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
