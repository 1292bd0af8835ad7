// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

/** The LRM gave no clear answer, so nothing may be concluded. */
public final class LrmUnavailableException extends Exception {

    public LrmUnavailableException(String why) {
        super(why);
    }

    public LrmUnavailableException(String why, Throwable cause) {
        super(why, cause);
    }
}
