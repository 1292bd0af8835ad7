// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Function;
import org.jobgate.job.JobDescription;

/**
 * What the audit needs to know.
 *
 * @param directory where it keeps its database and the end of its chain; it must exist
 * @param jobServices the address of the job services, for the ids that GRAM's audit table gives to jobs
 * @param version of this gateway
 * @param text writes a description, for people and for GRAM's audit table
 */
public record AuditSettings(Path directory, String jobServices, String version, Function<JobDescription, String> text) {

    public AuditSettings {
        requireNonNull(directory, "directory is null");
        requireNonNull(jobServices, "jobServices is null");
        requireNonNull(version, "version is null");
        requireNonNull(text, "text is null");
    }
}
