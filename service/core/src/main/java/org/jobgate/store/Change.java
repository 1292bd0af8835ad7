// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the change stream.
 *
 * @param sequence its place; strictly rising, gaps are allowed
 * @param job whose change
 * @param subject who owns the job
 * @param version the job's version after it
 * @param at when it was made
 * @param event absent where something else than the state changed, and for the creation
 * @param from the state before; absent for the creation
 * @param to the state after
 * @param holding whether the job is kept back after it, as {@link org.jobgate.job.Job#holding}
 * @param note why, for people
 */
public record Change(
        long sequence,
        JobId job,
        String subject,
        long version,
        Instant at,
        @Nullable JobEvent event,
        @Nullable JobState from,
        JobState to,
        boolean holding,
        @Nullable String note) {

    public Change {
        requireNonNull(job, "job is null");
        requireNonNull(subject, "subject is null");
        requireNonNull(at, "at is null");
        requireNonNull(to, "to is null");
    }

    /** Whether the job's owner held it after the change, as {@link org.jobgate.job.Job#isHeld}. */
    public boolean isHeld() {
        return holding && to != JobState.UNSUBMITTED;
    }
}
