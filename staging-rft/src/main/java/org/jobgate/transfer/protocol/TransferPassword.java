// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A name and a password that the job has for one of its files (GFD.135), for the server that its URL names and no other.
 *
 * @param id the same as long as it is the same password; nothing secret
 */
public record TransferPassword(String id, String userName, String password) implements TransferCredential {

    public TransferPassword {
        requireNonNull(id, "id is null");
        requireNonNull(userName, "userName is null");
        requireNonNull(password, "password is null");
    }

    /** Nobody says when a password ends: the server refuses it then. */
    @Override
    public Instant until() {
        return Instant.MAX;
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "password " + id;
    }
}
