// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.Optional;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.JobUpdate;

/** Changes one job, given how it stands in the transaction. */
record UpdateWrite(JobId id, JobUpdate update) implements Write<Optional<Job>> {

    @Override
    public Set<JobId> jobs() {
        return Set.of(id);
    }

    @Override
    public Optional<Job> apply(Batch batch) {
        Job current = batch.current(id);
        if (current == null) {
            return Optional.empty();
        }
        return Optional.of(batch.update(current, update.apply(current)));
    }
}
