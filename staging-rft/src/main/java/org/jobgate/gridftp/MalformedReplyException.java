// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;

/** What came over a connection is not what the protocol has there. */
final class MalformedReplyException extends IOException {

    private static final long serialVersionUID = 1L;

    MalformedReplyException(String message) {
        super(message);
    }
}
