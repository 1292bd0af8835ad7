// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Counts the jobs in each LRM that has a limit. */
final class SlotCounter {

    private static final int PAGE = 1_000;

    private final Throttle throttles;
    private final JobStore store;

    SlotCounter(Throttle throttles, JobStore store) {
        this.throttles = throttles;
        this.store = store;
    }

    /** The queue that the job names; looked up only where jobs are counted by it. */
    @Nullable
    String queueOf(Job job) {
        return throttles.countsQueues(job.lrm())
                ? store.description(job.id()).map(JobDescription::queue).orElse(null)
                : null;
    }

    /** Counts the job if it is in an LRM that has a limit, and no more once it is over there. */
    void see(Job job) {
        if (throttles.counts(job.lrm())) {
            throttles.see(job, queueOf(job));
        }
    }

    /** Counts the jobs that are in the LRM, where it has a limit. */
    void count(String lrm) {
        if (!throttles.counts(lrm)) {
            return;
        }
        JobQuery page = JobQuery.builder().lrm(lrm).limit(PAGE).build();
        while (true) {
            List<Job> jobs = store.list(page);
            jobs.forEach(this::see);
            if (jobs.size() < PAGE) {
                return;
            }
            page = page.next(jobs.getLast().id());
        }
    }

    /** Another throttle from now on. */
    void change(String lrm, LrmThrottle throttle) {
        throttles.change(lrm, throttle);
        count(lrm);
    }

    /** Counts those of the ids no more whose jobs are gone from the store. */
    void keepOnly(List<JobId> ids, List<Job> jobs) {
        if (jobs.size() < ids.size()) {
            Set<JobId> gone = new HashSet<>(ids);
            jobs.forEach(job -> gone.remove(job.id()));
            gone.forEach(throttles::forget);
        }
    }
}
