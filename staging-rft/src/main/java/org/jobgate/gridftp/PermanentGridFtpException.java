// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/** A repetition would fail again: no such file, denied, not authenticated, not supported. */
public final class PermanentGridFtpException extends GridFtpException {

    private static final long serialVersionUID = 1L;

    PermanentGridFtpException(Failure failure) {
        super(failure);
    }
}
