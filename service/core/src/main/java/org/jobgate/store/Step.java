// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jspecify.annotations.Nullable;

/**
 * One change of one job.
 *
 * @param event the event of the state machine, absent where something else than the state changed (hold, lifetime, reason for waiting)
 * @param job the job after it; the store sets its version
 * @param note why, for people; absent where the event says all
 * @param published whether the step appears in the change stream; bookkeeping does not
 */
public record Step(
        @Nullable JobEvent event, Job job, @Nullable String note, boolean published) {

    public Step {
        requireNonNull(job, "job is null");
    }

    public static Step of(JobEvent event, Job job) {
        return new Step(event, job, null, true);
    }

    public static Step of(Job job, String note) {
        return new Step(null, job, note, true);
    }

    /** A change that no reader of the stream cares about. */
    public static Step silent(Job job) {
        return new Step(null, job, null, false);
    }
}
