// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

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
}
