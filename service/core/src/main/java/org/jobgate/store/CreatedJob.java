// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;

/**
 * A job that was just stored, with what was stored in the same transaction.
 *
 * @param job as it is stored
 * @param length of its description as it is stored, in characters: by that, whoever keeps it knows about how much memory it takes
 */
public record CreatedJob(Job job, JobDescription description, List<DoorRecord> records, int length) {

    public CreatedJob {
        requireNonNull(job, "job is null");
        requireNonNull(description, "description is null");
        records = List.copyOf(records);
    }
}
