// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.Job;

/** An order was for other versions of the job than the one that it has: nothing was done. */
public final class OtherVersionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Job job;

    /** @param job as it stands */
    public OtherVersionException(Job job) {
        super("the job " + job.id() + " has the version " + job.version());
        this.job = requireNonNull(job, "job is null");
    }

    /** The job as it stands. */
    public Job job() {
        return job;
    }
}
