// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;

/** The caller's own source or sink failed: given back as it was. */
final class LocalDataException extends IOException {

    private static final long serialVersionUID = 1L;

    private final IOException original;

    LocalDataException(IOException original) {
        super(original);
        this.original = original;
    }

    IOException original() {
        return original;
    }
}
