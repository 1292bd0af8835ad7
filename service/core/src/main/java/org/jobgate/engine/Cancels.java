// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends jobs in their LRM that are to end before they have. */
final class Cancels {

    private static final Logger LOG = LoggerFactory.getLogger(Cancels.class);

    private final EngineContext context;

    Cancels(EngineContext context) {
        this.context = context;
    }

    /** Ends jobs that the LRM has; answers those of which it gave no clear answer. A job that is not there ends at once. */
    Unclear ask(Lrm lrm, String group, List<Job> jobs) {
        Unclear unclear = new Unclear();
        List<CancelResult> results =
                jobs.isEmpty() ? List.of() : lrm.cancel(LrmRegistry.accountOf(group), Phases.lrmJobs(jobs));
        for (int i = 0; i < jobs.size(); i++) {
            Job job = jobs.get(i);
            switch (results.get(i)) {
                case CancelResult.Ending ending -> {
                    unclear.answered();
                    context.registry().answered(job.id());
                    LoggedJob.says(job.id(), () -> LOG.debug("{} is being ended in {}", job.id(), lrm.name()));
                }
                case CancelResult.NotThere notThere -> {
                    unclear.answered();
                    Writes.await(wrapUp(job));
                }
                case CancelResult.Unclear why -> unclear.add(job, why.because(), why.alone());
            }
        }
        return unclear;
    }

    /** The same for jobs that may be on their way into the LRM; one that never was on its way ends at once. */
    Unclear takeBack(Lrm lrm, String group, List<Job> jobs) {
        List<Job> perhapsThere = new ArrayList<>();
        for (Job job : jobs) {
            if (context.mayExist(job)) {
                perhapsThere.add(job);
            } else {
                Writes.await(wrapUp(job));
            }
        }
        return ask(lrm, group, perhapsThere);
    }

    private CompletableFuture<?> wrapUp(Job job) {
        JobFiles.Leftovers left = context.files().leftovers(job.id());
        return context.update(job.id(), change -> {
            if (change.job().outcome() != null) {
                change.wrapUp(left);
            }
        });
    }
}
