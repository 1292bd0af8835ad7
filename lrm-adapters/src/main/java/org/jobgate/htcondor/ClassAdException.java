// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import java.io.IOException;

/** A text is not the ClassAd, JSON or event that it should be, or is over a limit. The message says where. */
public final class ClassAdException extends IOException {

    private static final long serialVersionUID = 1L;

    public ClassAdException(String message) {
        super(message);
    }
}
