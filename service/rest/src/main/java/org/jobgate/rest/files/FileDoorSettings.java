// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * The bounds of reading and putting files.
 *
 * @param readers requests for files that are being answered or that wait, of everybody
 * @param readersPerOwner the same of one subject
 * @param maxWait how long a request may wait for more of a file; one that asks for more gets this
 */
public record FileDoorSettings(Limit readers, Limit readersPerOwner, Duration maxWait, Uploads uploads) {

    /**
     * The bounds of what clients put into the directory of one job.
     *
     * @param fileBytes of one file
     * @param jobBytes of all files of a job
     * @param jobFiles how many files of a job
     */
    public record Uploads(Limit fileBytes, Limit jobBytes, Limit jobFiles) {
        public Uploads {
            requireNonNull(fileBytes, "fileBytes is null");
            requireNonNull(jobBytes, "jobBytes is null");
            requireNonNull(jobFiles, "jobFiles is null");
        }
    }

    public FileDoorSettings {
        requireNonNull(readers, "readers is null");
        requireNonNull(readersPerOwner, "readersPerOwner is null");
        requireNonNull(maxWait, "maxWait is null");
        requireNonNull(uploads, "uploads is null");
    }
}
