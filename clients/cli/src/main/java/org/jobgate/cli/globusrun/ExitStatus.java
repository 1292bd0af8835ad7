// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

/**
 * What the process tells its caller. GT says: the job's own code where the job ran, a negative one (255 and down, as a
 * shell sees it) for everything that is the client's (facts/gram4.md section 4.3); the single numbers are ours.
 */
public enum ExitStatus {
    OK(0),
    /** The service could not be reached or understood; for a job: it was not submitted, or nothing is known of it. */
    CONTACT(255),
    /** The command line, the description or an EPR file cannot be used. */
    USAGE(254),
    /** No usable credential or no trusted authorities. */
    CREDENTIAL(253),
    /** The service refused: its fault is shown. */
    REFUSED(252),
    /** The job ended in state Failed and has no exit code of its own. */
    JOB_FAILED(251),
    /** The job was submitted and contact with it was lost: it may still run. */
    JOB_LOST(250);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
