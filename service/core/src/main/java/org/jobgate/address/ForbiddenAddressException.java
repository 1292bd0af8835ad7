// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/** The gateway does not connect there. The message says where, and why not; the remedy what to do. */
public final class ForbiddenAddressException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    ForbiddenAddressException(String sentence, String remedy) {
        super(sentence);
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    public String remedy() {
        return remedy;
    }
}
