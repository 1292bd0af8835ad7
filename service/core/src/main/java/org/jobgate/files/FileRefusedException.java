// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

/** The account itself says no to what was to be done with a file; the message says which and why. */
public final class FileRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FileAnswer.Reason reason;

    public FileRefusedException(FileAnswer.Reason reason, String sentence) {
        super(sentence);
        this.reason = requireNonNull(reason, "reason is null");
    }

    public FileAnswer.Reason reason() {
        return reason;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
