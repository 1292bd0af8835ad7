// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;

/**
 * What the audit needs to know.
 *
 * @param store which database holds the records
 * @param directory where it keeps the end of its chain, and its database where that is a file; it must exist
 * @param jobServices the address of the job services, for the ids that GRAM's audit table gives to jobs
 * @param version of this gateway
 * @param text writes a description, for people and for GRAM's audit table
 * @param moved what was moved of the files of a job that is over; empty where nothing is known to have been
 * @param keeping how long records are kept, and name people
 */
public record AuditSettings(
        AuditStore store,
        Path directory,
        String jobServices,
        String version,
        Function<JobDescription, String> text,
        Function<JobId, Optional<Moved>> moved,
        AuditKeeping keeping) {

    public AuditSettings {
        requireNonNull(store, "store is null");
        requireNonNull(directory, "directory is null");
        requireNonNull(jobServices, "jobServices is null");
        requireNonNull(version, "version is null");
        requireNonNull(text, "text is null");
        requireNonNull(moved, "moved is null");
        requireNonNull(keeping, "keeping is null");
    }

    /** Settings of a gateway that moves no files and keeps all records, in a file. */
    public AuditSettings(Path directory, String jobServices, String version, Function<JobDescription, String> text) {
        this(AuditStore.FILE, directory, jobServices, version, text, job -> Optional.empty(), AuditKeeping.FOR_EVER);
    }
}
