// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.util.List;

/** One of the two ends of a transfer. What is deleted is a destination. */
public enum End {
    SOURCE("sourceSubjectName"),
    DESTINATION("destinationSubjectName");

    /** Whose name the server's certificate must have, whichever end it is at: what is said for one end goes before it. */
    public static final String SUBJECT = "subjectName";

    private final String option;

    End(String option) {
        this.option = option;
    }

    /** RFT's option that names the server of this end alone. */
    public String option() {
        return option;
    }

    /** The options that may name this end's server, the one that counts first. */
    public List<String> options() {
        return List.of(option, SUBJECT);
    }
}
