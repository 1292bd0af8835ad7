// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;

/** No request was sent: the server cannot be reached, or is not believed. The message is for a person. */
public final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
