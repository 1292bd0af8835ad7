// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

/** A sign-in does not go on. The message is a sentence for the user, and holds no secret. */
public final class SignInException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String remedy;

    SignInException(int status, String code, String sentence, String remedy) {
        super(sentence);
        this.status = status;
        this.code = requireNonNull(code, "code is null");
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    /** Of HTTP. */
    public int status() {
        return status;
    }

    /** A word for programs and for the page of refusals. */
    public String code() {
        return code;
    }

    /** What the user can do. */
    public String remedy() {
        return remedy;
    }
}
