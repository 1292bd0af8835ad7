// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

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
     * Writes a file that holds a key of the job's ({@link #key}) between its parts, as {@link #keep(String, JobId, String, byte[])} does.
     *
     * @param key the name of that key
     * @return its path
     * @throws LrmUnavailableException if the account's process did not do it, e.g. because there is no such key
     */
    String keep(String account, JobId job, String name, byte[] before, String key, byte[] after)
            throws LrmUnavailableException;

    /**
     * Has the account's process make an RSA key for the job, unless it has made it before; the private half never leaves the account.
     *
     * @param name what the key's file is called, which {@link #drop} deletes
     * @return the public half, as PEM (SubjectPublicKeyInfo)
     * @throws LrmUnavailableException if the account's process did not do it
     */
    String key(String account, JobId job, String name) throws LrmUnavailableException;

    /**
     * Deletes the file; one that is not there is no fault.
     *
     * @throws LrmUnavailableException if the account's process did not do it
     */
    void drop(String account, JobId job, String name) throws LrmUnavailableException;
}
