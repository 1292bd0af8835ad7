// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

/** The queue cannot be read or written. The message is for a person. */
final class QueueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    QueueException(String message, Throwable cause) {
        super(message, cause);
    }
}
