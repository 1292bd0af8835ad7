// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server said no before it did anything, and would say the same again. The message is for a person. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final What what;

    /** What was refused. */
    public enum What {
        /** Our own certificate was not accepted. */
        CREDENTIAL,
        /** The request: another one may be accepted. */
        REQUEST,
        /** The size of the request: a smaller one may be accepted. */
        SIZE,
        /** The address: nothing behind it is for us, so no service has seen the request. */
        ADDRESS
    }

    public RefusedException(What what, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.what = requireNonNull(what, "what is null");
    }

    public What what() {
        return what;
    }
}
