// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jobgate.job.Job;

/** Puts jobs back into the queue of a stage, to be tried again after a pause, when an LRM gave no clear answer for them. */
final class StageRetries {

    private static final String GONE_LRM = "The LRM that the job was submitted to is not configured any more.";

    private final LrmRegistry registry;
    private final Function<Job, WorkQueue.Item> item;

    /** @param item makes an entry of a queue of a job */
    StageRetries(LrmRegistry registry, Function<Job, WorkQueue.Item> item) {
        this.registry = registry;
        this.item = item;
    }

    /**
     * Queues again the jobs for which the LRM gave no clear answer. If it answered for another job of the group, or said that it answers, each of
     * them waits by itself; if not, the whole group waits.
     */
    void settle(WorkQueue pool, String group, Unclear unclear) {
        if (unclear.isEmpty() && !unclear.lrmAnswers()) {
            return; // it was asked nothing
        }
        if (!unclear.isEmpty() && !unclear.lrmAnswers()) {
            all(pool, group, unclear.jobs(), unclear.because());
            return;
        }
        registry.answered(group);
        unclear.forEach((job, because) -> alone(pool, job, because));
    }

    /** Queues one job again; the others of its group do not wait for it. */
    void alone(WorkQueue pool, Job job, String because) {
        pool.pause(job.id(), registry.stumbled(job.id(), because));
        pool.offer(item.apply(job));
    }

    /** Queues jobs again whose LRM is not configured any more; they wait until it is, or until they are cancelled. */
    void lrmIsGone(WorkQueue pool, String group, List<Job> jobs) {
        all(pool, group, jobs, GONE_LRM);
    }

    private void all(WorkQueue pool, String group, List<Job> jobs, String because) {
        Duration pause = registry.stumbled(group, because);
        pool.pause(group, pause);
        jobs.forEach(job -> pool.offer(item.apply(job)));
    }
}
