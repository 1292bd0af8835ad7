// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.Map;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/** The environment variables that tell a job's processes about the service that runs them. */
@FunctionalInterface
public interface JobEnvironment {

    /** Tells them nothing. */
    JobEnvironment NONE = (job, multiJob, description) -> Map.of();

    /**
     * Variables for the job; they stand in the place of those of the same name in its description.
     *
     * @param multiJob the multi-job that it is part of; absent for any other job
     * @param description what it asks for itself
     */
    Map<String, String> of(Job job, @Nullable JobId multiJob, JobDescription description);
}
