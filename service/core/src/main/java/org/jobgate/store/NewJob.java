// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;

/**
 * A job to be stored with what must be stored in the same transaction.
 *
 * @param records what the front door must remember about it, e.g. the subscription that came with it
 */
public record NewJob(Job job, JobDescription description, List<DoorRecord> records) {

    public NewJob {
        requireNonNull(job, "job is null");
        requireNonNull(description, "description is null");
        records = List.copyOf(records);
    }
}
