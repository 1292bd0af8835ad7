// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What this door keeps with a job.
 *
 * @param id as clients know it: {@code CREAM} and nine digits
 * @param delegation the delegated credential that it was registered with; absent for none
 * @param lease absent for none
 * @param directory its sandbox on the site, absolute
 * @param gridJob the id that a workload management gave it; absent for none
 * @param startsAlone whether it was to start without being told so
 * @param boundsOutput whether its output files are cut where they are too large together
 */
record CreamJob(
        String id,
        JobId job,
        String owner,
        @Nullable String delegation,
        @Nullable String lease,
        String directory,
        @Nullable String gridJob,
        boolean startsAlone,
        boolean boundsOutput,
        Instant registered) {

    CreamJob {
        requireNonNull(id, "id is null");
        requireNonNull(job, "job is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(directory, "directory is null");
        requireNonNull(registered, "registered is null");
    }

    CreamJob withLease(@Nullable String value) {
        return new CreamJob(
                id, job, owner, delegation, value, directory, gridJob, startsAlone, boundsOutput, registered);
    }
}
