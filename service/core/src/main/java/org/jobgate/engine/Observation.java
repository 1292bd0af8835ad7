// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.SubmitResult;
import org.jspecify.annotations.Nullable;

/** Reports the work of the stages to an observer, and puts the id of the job into the lines that are logged while a batch of one job is worked on. */
final class Observation {

    private final Clock clock;
    private volatile StageObserver observer = StageObserver.NONE;

    Observation(Clock clock) {
        this.clock = clock;
    }

    /** Names who is told from now on. */
    void by(StageObserver newObserver) {
        observer = newObserver;
    }

    /** The work of a stage, observed. */
    WorkQueue.Work of(String stage, WorkQueue.Work work) {
        return (group, jobs) -> work(stage, work, group, jobs);
    }

    private void work(String stage, WorkQueue.Work work, String group, List<JobId> jobs) throws InterruptedException {
        Instant begin = clock.instant();
        Throwable failure = null;
        LoggedJob.Lines lines = jobs.size() == 1 ? LoggedJob.of(jobs.getFirst()) : null;
        try {
            work.on(group, jobs);
        } catch (RuntimeException | InterruptedException | Error e) {
            failure = e;
            throw e;
        } finally {
            end(lines);
            observer.worked(stage, group, jobs, begin, clock.instant(), failure);
        }
    }

    private static void end(LoggedJob.@Nullable Lines lines) {
        if (lines != null) {
            lines.close();
        }
    }

    /** Has the LRM take the jobs, which are of one group and one at least. */
    List<SubmitResult> submit(Lrm lrm, String group, Readiness.Ready ready) {
        Instant begin = clock.instant();
        List<SubmitResult> results = lrm.submit(LrmRegistry.accountOf(group), ready.requests());
        List<JobId> ids = ready.jobs().stream().map(Job::id).toList();
        observer.worked("lrm submit", group, ids, begin, clock.instant(), null);
        return results;
    }
}
