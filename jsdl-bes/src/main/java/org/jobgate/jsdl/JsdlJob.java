// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.JobDescription;

/**
 * A job as a document describes it.
 *
 * @param credentials the names and passwords that it has for its files; empty unless the site takes such
 */
public record JsdlJob(JobDescription description, List<FileCredential> credentials) {

    /**
     * A credential for one copy.
     *
     * @param isStageIn whether the file is fetched before the job; else it is sent after it
     * @param place of the copy in the list of those of the description, from 0
     */
    public record FileCredential(boolean isStageIn, int place, StagingCredential credential) {}

    public JsdlJob {
        requireNonNull(description, "description is null");
        credentials = List.copyOf(credentials);
    }
}
