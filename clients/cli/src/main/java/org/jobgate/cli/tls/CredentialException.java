// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

/** A certificate, a key or a trust anchor cannot be used. The message says which file, why, and what to do. */
public final class CredentialException extends Exception {
    private static final long serialVersionUID = 1L;

    public CredentialException(String message) {
        super(message);
    }

    public CredentialException(String message, Throwable cause) {
        super(message, cause);
    }
}
