// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import org.jobgate.job.JobId;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;

/** Where delegated credentials are found. */
@FunctionalInterface
public interface TransferCredentials {

    /**
     * The owner's credential, usable now.
     *
     * @param key by which it was delegated
     * @throws TransferException that says why it cannot be used, and whether waiting can help
     */
    TransferCredential find(String owner, String key) throws TransferException;

    /**
     * The name and the password that a job has for one of its files.
     *
     * @param number which, as {@link org.jobgate.jobs.FilePassword#OPTION} says it
     * @throws TransferException where it has none of that number
     */
    default TransferCredential password(JobId job, String number) throws TransferException {
        throw new TransferException(
                TransferException.Kind.PERMANENT,
                "no passwords of files are kept here",
                "Delegate a credential instead.");
    }
}
