// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.FilePassword;

/**
 * A job as a document describes it.
 *
 * @param passwords the names and passwords that it has for its files (GFD.135), as the copies of the description name them by
 *     {@link FilePassword#OPTION}; empty unless the caller can use such
 */
public record JsdlJob(JobDescription description, List<FilePassword> passwords) {

    public JsdlJob {
        requireNonNull(description, "description is null");
        passwords = List.copyOf(passwords);
    }
}
