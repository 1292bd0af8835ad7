// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

/** The service answered, and said no. */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    /** What the service said, with its HTTP status. */
    public RefusedException(int status, String sentence) {
        super("HTTP status " + status + ": " + sentence);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
