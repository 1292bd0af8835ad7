// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;

/** Moves a job's files, as the lifecycle sees it. Repeating a call after a restart goes on where the first one stopped. */
public interface FileStager {

    /** Fetches the input files; answers why it could not. */
    Optional<Fault> stageIn(Job job, JobDescription description);

    /** Sends the output files; answers why it could not. */
    Optional<Fault> stageOut(Job job, JobDescription description);

    /** Deletes what the job asked to have deleted; a missing file is no fault. */
    Optional<Fault> cleanUp(Job job, JobDescription description);
}
