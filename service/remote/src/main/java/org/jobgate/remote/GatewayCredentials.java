// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.lrm.LrmUnavailableException;

/**
 * Says with whose credential the gateway acts for a job, and which ones are given on with its files. The choice follows from the job's
 * description alone and never changes: the other gateway knows a repeated submission by subject and JobID.
 */
public interface GatewayCredentials {

    /**
     * The credential for this job.
     *
     * @throws org.jobgate.job.FaultException if there can be none
     * @throws LrmUnavailableException if there is none at present
     */
    ClientCredential of(Job job, JobDescription description) throws LrmUnavailableException;

    /**
     * A credential of the job's owner that files of the job are moved with, for the other gateway.
     *
     * @param key by which the job's description names it
     * @throws org.jobgate.job.FaultException if it can never be given on
     * @throws LrmUnavailableException if it is not there, or has expired
     */
    DelegableCredential forFiles(Job job, String key) throws LrmUnavailableException;
}
