// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import org.jobgate.job.JobId;

/**
 * Small private files of jobs, such as credentials: written by a process of the job's account into its own directory, so that no other
 * account can read them.
 */
public interface PrivateFiles {

    /**
     * Writes the file, whole or not at all, in the place of one that is there.
     *
     * @param name of the file among those of the job: a lower-case word, which may hold digits, dots and dashes
     * @return its path
     * @throws LrmUnavailableException if the account's process did not do it
     */
    String keep(String account, JobId job, String name, byte[] content) throws LrmUnavailableException;

    /**
     * Deletes the file; one that is not there is no fault.
     *
     * @throws LrmUnavailableException if the account's process did not do it
     */
    void drop(String account, JobId job, String name) throws LrmUnavailableException;
}
