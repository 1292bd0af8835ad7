// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;

/** What a worker sent is not what the protocol allows. */
final class WireException extends IOException {

    private static final long serialVersionUID = 1L;

    WireException(String message) {
        super(message);
    }
}
