// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.ShortText;

/** A token is refused. The message never holds the token, nor any part of its signature. */
public final class TokenException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 100;

    private final TokenProblem problem;

    TokenException(TokenProblem problem, String message) {
        super(message);
        this.problem = requireNonNull(problem, "problem is null");
    }

    public TokenProblem problem() {
        return problem;
    }

    /** What a token says, fit for a log: short, and without control characters. */
    static String shown(String text) {
        String start = ShortText.of(text, MAX_SHOWN);
        return start.replaceAll("[\\p{Cntrl}\\p{Cf}\"]", "?");
    }
}
