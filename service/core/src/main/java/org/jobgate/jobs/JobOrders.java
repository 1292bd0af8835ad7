// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.time.Instant;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What a subject orders for one of its jobs. Calls answer when the order is on disk, with the job as it stands then; empty where the
 * subject has no such job.
 */
public interface JobOrders {

    /** Begins to end the job; answers at once. A job that is over stays as it is. */
    Optional<Job> cancel(String subject, JobId id);

    /**
     * Holds the job. Without a state, a job that waits: it is held before it is given to its LRM or, where it waits there, in the LRM. With
     * a state, before the work of that state. Answers when the wish is on disk; in an LRM the job is held when the LRM says so.
     *
     * @param at the state to hold before; absent: where it waits
     * @throws org.jobgate.job.FaultException {@code WRONG_STATE} where the job does not wait, or is past the state; {@code
     *     UNSUPPORTED_FEATURE} where its LRM has it and cannot hold it, or it is a multi-job
     */
    Optional<Job> hold(String subject, JobId id, @Nullable JobState at);

    /** Lets a held job go on, also one that is held in its LRM, or takes back a hold that is still to come. */
    Optional<Job> release(String subject, JobId id);

    /**
     * Has the job suspended: one that its LRM does not have yet is not given to it, one that waits there does not begin, one that runs
     * stops and keeps what it has done. Answers when the wish is on disk; the job's state changes when the LRM says that it has.
     *
     * @throws org.jobgate.job.FaultException {@code UNSUPPORTED_FEATURE} where its LRM cannot suspend it as it stands, or the job is
     *     over
     */
    Optional<Job> suspend(String subject, JobId id);

    /**
     * Lets a suspended job go on, or takes back a wish to suspend it. Answers when the wish is on disk. A job that is not suspended, or
     * is over, stays as it is.
     *
     * @throws org.jobgate.job.FaultException {@code UNSUPPORTED_FEATURE} where its LRM cannot do it
     */
    Optional<Job> resume(String subject, JobId id);

    /** Ends the job if it is not over, and forgets it then; answers at once. */
    Optional<Job> destroy(String subject, JobId id);

    /**
     * Sets when the job is to be ended and forgotten; absent means never, or by the rule of its submission for a time after its end.
     *
     * @throws org.jobgate.job.FaultException {@code INVALID_TERMINATION_TIME} where the time is past
     */
    Optional<Job> setTerminationTime(String subject, JobId id, @Nullable Instant time);
}
