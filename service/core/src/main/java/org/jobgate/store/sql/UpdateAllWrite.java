// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.JobUpdate;
import org.jobgate.store.Step;

/** Changes many jobs, each given how it stands in the transaction: all of them, or none where one cannot be changed. */
record UpdateAllWrite(List<JobId> ids, JobUpdate update) implements Write<List<Optional<Job>>> {

    private record Planned(Job job, List<Step> steps) {}

    UpdateAllWrite {
        ids = List.copyOf(ids);
    }

    @Override
    public int weight() {
        return Math.max(1, ids.size());
    }

    @Override
    public Set<JobId> jobs() {
        return new LinkedHashSet<>(ids);
    }

    @Override
    public List<Optional<Job>> apply(Batch batch) {
        List<Planned> planned = new ArrayList<>();
        for (JobId id : jobs()) {
            Job job = batch.current(id);
            if (job != null) {
                // all are asked before any is changed: what fails here must leave the transaction as it was
                planned.add(new Planned(job, Batch.allowed(job, update.apply(job))));
            }
        }
        planned.forEach(plan -> batch.take(plan.job(), plan.steps()));
        return ids.stream().map(id -> Optional.ofNullable(batch.current(id))).toList();
    }
}
