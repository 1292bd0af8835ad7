// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.lrm.Lrm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs ready for their LRM: gives each what its credentials add. A job whose credential cannot be obtained does not go with the
 * others; it waits or fails by itself.
 */
final class Readiness {

    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

    private final EngineContext context;

    /** Those whose history says already that they wait. */
    private final Set<JobId> waiting = ConcurrentHashMap.newKeySet();

    Readiness(EngineContext context) {
        this.context = context;
    }

    /**
     * Jobs on their way to the LRM.
     *
     * @param requests one for each that is ready, in order
     * @param unclear those to be tried again
     * @param because why
     */
    record Ready(List<Job> jobs, List<Lrm.SubmitRequest> requests, List<Job> unclear, String because) {}

    Ready of(List<Job> jobs) {
        List<Job> given = new ArrayList<>();
        List<Lrm.SubmitRequest> requests = new ArrayList<>();
        List<Job> unclear = new ArrayList<>();
        String because = "";
        for (Job job : jobs) {
            JobDescription description = context.store().description(job.id()).orElse(null);
            if (description == null) {
                continue;
            }
            Optional<Fault> changed = context.files().changedHands(job, description);
            if (changed.isPresent()) {
                fails(job, changed.get());
                continue;
            }
            switch (placement(job, description)) {
                case JobCredentials.Placement.Placed placed -> {
                    ready(job, placed);
                    given.add(job);
                    requests.add(new Lrm.SubmitRequest(
                            job.id(), context.forLrm(job, description, placed.environment()), context.mayExist(job)));
                }
                case JobCredentials.Placement.Waiting why -> waits(job, why.because());
                case JobCredentials.Placement.Refused why -> fails(job, why.fault());
                case JobCredentials.Placement.Unclear why -> {
                    unclear.add(job);
                    because = why.because();
                }
            }
        }
        return new Ready(given, requests, unclear, because);
    }

    /** What goes wrong with the credential of one job is no trouble of the others that are to go with it. */
    private JobCredentials.Placement placement(Job job, JobDescription description) {
        try {
            return context.credentials().place(job, description);
        } catch (RuntimeException e) {
            LoggedJob.says(
                    job.id(),
                    () -> LOG.error("The credential of job {} could not be placed; it is tried again", job.id(), e));
            return new JobCredentials.Placement.Unclear("the job's credential could not be placed; the log says why");
        }
    }

    private void ready(Job job, JobCredentials.Placement.Placed placed) {
        waiting.remove(job.id());
        placed.warning().ifPresent(text -> context.remark(job.id(), text).join());
    }

    private void waits(Job job, String because) {
        if (waiting.add(job.id())) {
            context.remark(job.id(), because).join();
        }
    }

    /** Its outcome is settled; the next look at it takes it back from the LRM, where an earlier try may have brought it. */
    private void fails(Job job, Fault fault) {
        waiting.remove(job.id());
        CompletableFuture<?> written = context.update(job.id(), change -> {
            if (change.job().outcome() == null) {
                change.settle(JobOutcomes.failed(fault, change.job().state()));
                change.note(change.job(), fault.sentence());
            }
        });
        written.join();
    }
}
