// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

/** A request, or a file of it, that ends with this status. */
final class SrmException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Status status;

    SrmException(Status status) {
        super(status.code() + ": " + status.explanation());
        this.status = requireNonNull(status, "status is null");
    }

    SrmException(Code code, String explanation) {
        this(new Status(code, explanation));
    }

    /** A request that cannot be read as it is. */
    static SrmException invalid(String explanation) {
        return new SrmException(Code.SRM_INVALID_REQUEST, explanation);
    }

    /** A SURL at which nothing is, or can be. */
    static SrmException path(String explanation) {
        return new SrmException(Code.SRM_INVALID_PATH, explanation);
    }

    Status status() {
        return status;
    }
}
