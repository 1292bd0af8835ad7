// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.lrm.LrmUnavailableException;

/**
 * Says with whose credential the gateway acts for a job. The choice follows from the job's description alone and never changes: the
 * other gateway knows a repeated submission by subject and JobID.
 */
@FunctionalInterface
public interface GatewayCredentials {

    /**
     * The credential for this job.
     *
     * @throws org.jobgate.job.FaultException if there can be none
     * @throws LrmUnavailableException if there is none at present
     */
    ClientCredential of(Job job, JobDescription description) throws LrmUnavailableException;
}
