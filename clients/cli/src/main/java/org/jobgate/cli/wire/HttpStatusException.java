// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The answer was an HTTP status without an envelope of SOAP; the same request may be answered otherwise later. The message is for a person. */
public final class HttpStatusException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int SERVER_ERROR = 500;
    private static final int TOO_EARLY = 425;
    private static final int TOO_MANY = 429;

    private final int status;

    HttpStatusException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Whether the server, or a proxy before it, is in trouble for all clients; else it has told only this client to come later. */
    public boolean isOfServer() {
        return status >= SERVER_ERROR;
    }

    /** Whether the request was refused before any work on it began (RFC 6585, RFC 8470). */
    public boolean isUntouched() {
        return status == TOO_MANY || status == TOO_EARLY;
    }
}
