// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

/** A command of CREAM ends here, with this sentence. */
public final class CreamException extends Exception {
    private static final long serialVersionUID = 1L;

    public CreamException(String message) {
        super(message);
    }

    public CreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
