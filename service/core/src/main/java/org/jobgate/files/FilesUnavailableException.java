// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

/** An account's files cannot be reached at present: nothing is known of them. */
public final class FilesUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    public FilesUnavailableException(String why) {
        super(why);
    }

    public FilesUnavailableException(String why, Throwable cause) {
        super(why, cause);
    }
}
