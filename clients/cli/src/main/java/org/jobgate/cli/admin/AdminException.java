// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

/** The command cannot do what was asked; the message is for a person and says what to do. */
final class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    AdminException(String message) {
        super(message);
    }

    AdminException(String message, Throwable cause) {
        super(message, cause);
    }
}
