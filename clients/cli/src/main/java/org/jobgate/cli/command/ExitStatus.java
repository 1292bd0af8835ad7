// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.io.IOException;
import org.jobgate.cli.tls.RefusedException;

/**
 * What the process tells its caller. GT says: the job's own code where the job ran, a negative one (255 and down, as a
 * shell sees it) for everything that is the client's (facts/gram4.md section 4.3); the single numbers are ours.
 */
public enum ExitStatus {
    OK(0, "done"),
    /** The service could not be reached or understood; for a job: it was not submitted, or nothing is known of it. */
    CONTACT(255, "the service could not be reached, believed or understood"),
    USAGE(254, "the command line or a file named there cannot be used"),
    CREDENTIAL(253, "no usable credential, no trusted authorities, or the service refused the certificate"),
    REFUSED(252, "the service refused; its sentence is shown"),
    JOB_FAILED(251, "the job ended in state Failed and has no exit code"),
    JOB_LOST(250, "the job was submitted and contact was lost: it may still run");

    private final int code;
    private final String meaning;

    ExitStatus(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The status for a service that could not be reached. */
    public static ExitStatus of(IOException e) {
        if (!(e instanceof RefusedException refused)) {
            return CONTACT;
        }
        return refused.what() == RefusedException.What.CREDENTIAL ? CREDENTIAL : REFUSED;
    }

    public int code() {
        return code;
    }

    /** For help and manual pages, without the last full stop. */
    public String meaning() {
        return meaning;
    }
}
