// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.util.Optional;
import org.jobgate.job.JobDescription;
import org.jobgate.job.TransferList;
import org.jobgate.xml.XmlWriter;

/** Writes a job description in the language of GT 4.2, without an account: the other gateway chooses that. */
@FunctionalInterface
public interface JobWriter {

    void write(XmlWriter out, JobDescription description);

    /** An option of its files that the language has no word for, so that it would be lost on the way; empty where there is none. */
    default Optional<String> unsaidOption(TransferList files) {
        return Optional.empty();
    }
}
