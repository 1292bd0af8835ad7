// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/** A repetition may succeed: a connection was cut, the server is busy or full, nothing came in time. */
public final class TransientGridFtpException extends GridFtpException {

    private static final long serialVersionUID = 1L;

    TransientGridFtpException(Failure failure) {
        super(failure);
    }
}
