// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.jobs.FileStager;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stages of a job's life in which its files are moved: stage-in, stage-out, clean-up. */
final class FilePhases {

    private static final Logger LOG = LoggerFactory.getLogger(FilePhases.class);

    private final EngineContext context;
    private final BiPredicate<Job, WorkQueue> isNext;
    private final FilesInHand inHand = new FilesInHand();

    /**
     * Nothing is in hand.
     *
     * @param isNext whether a stage is the next one of a job
     */
    FilePhases(EngineContext context, BiPredicate<Job, WorkQueue> isNext) {
        this.context = requireNonNull(context, "context is null");
        this.isNext = requireNonNull(isNext, "isNext is null");
    }

    /** The job, if this stage is its next. */
    private Optional<Job> at(WorkQueue stage, JobId id) {
        return context.store().find(id).filter(job -> isNext.test(job, stage));
    }

    void stageIn(WorkQueue stage, JobId id) {
        Optional<Job> found = at(stage, id);
        if (found.isEmpty()) {
            return;
        }
        Job job = found.get();
        if (job.outcome() != null) { // it only moves files, so that no LRM need be asked before it ends
            JobFiles.Leftovers left = context.files().leftovers(id);
            Writes.await(context.update(id, change -> change.wrapUp(left)));
            return;
        }
        if (job.state() == JobState.UNSUBMITTED) {
            job = beginStageIn(id);
        }
        if (job.holding() || job.outcome() != null) {
            return;
        }
        move(stage, job, FileStager::stageIn, this::stagedIn);
    }

    private CompletableFuture<?> stagedIn(JobId id, Optional<Fault> fault) {
        JobFiles.Leftovers left = context.files().leftovers(id);
        return context.update(id, change -> {
            if (change.job().inputReady()) {
                return; // the LRM has got the job meanwhile; the outcome of staging does not matter any more
            }
            if (fault.isEmpty()) {
                change.inputReady();
                if (OnlyTransfers.is(change.job())) {
                    change.settle(JobOutcome.done(0, null));
                    change.wrapUp(left);
                }
            } else {
                change.settle(JobOutcomes.failed(fault.get(), JobState.STAGE_IN));
                change.wrapUp(left);
            }
        });
    }

    private Job beginStageIn(JobId id) {
        return Writes.await(context.update(id, change -> {
                    if (change.job().outcome() == null) {
                        change.hold(JobEvent.STAGE_IN_STARTED);
                    }
                }))
                .orElseThrow();
    }

    void stageOut(WorkQueue stage, JobId id) {
        Optional<Job> found = at(stage, id);
        if (found.isEmpty()) {
            return;
        }
        Job job = found.get();
        boolean wanted = job.settledOutcome()
                .filter(outcome -> outcome.outcome() == JobState.DONE)
                .isPresent();
        if (wanted) {
            move(stage, job, FileStager::stageOut, this::stagedOut);
        } else if (context.files().leftovers(id).sendsAfterFailure()) {
            move(stage, job, FileStager::sendWhatIsThere, this::stagedOut);
        } else {
            Writes.await(stagedOut(id, Optional.empty()));
        }
    }

    private CompletableFuture<?> stagedOut(JobId id, Optional<Fault> fault) {
        JobFiles.Leftovers left = context.files().leftovers(id);
        return context.update(id, change -> {
            boolean succeeds = change.job()
                    .settledOutcome()
                    .filter(outcome -> outcome.outcome() == JobState.DONE)
                    .isPresent();
            if (succeeds) {
                fault.ifPresent(why -> change.replaceOutcome(JobOutcomes.failed(why, JobState.STAGE_OUT)));
            }
            change.finish(left.mustCleanUp());
        });
    }

    void cleanUp(WorkQueue stage, JobId id) {
        at(stage, id)
                .ifPresent(job -> move(
                        stage,
                        job,
                        JobFiles.Staging.silent(FileStager::cleanUp),
                        (same, fault) -> cleanedUp(job, fault)));
    }

    private CompletableFuture<?> cleanedUp(Job job, Optional<Fault> fault) {
        fault.ifPresent(why -> LOG.warn("Clean-up of {} left something behind: {}", job.id(), why.sentence()));
        context.credentials().remove(job);
        return context.update(job.id(), change -> {
            fault.ifPresent(change::cleanUpFailed);
            change.end(fault.map(why -> "clean-up: " + why.sentence()).orElse(null));
        });
    }

    /** Has files moved; the pool's worker does not wait for them. */
    private void move(
            WorkQueue pool,
            Job job,
            JobFiles.Staging staging,
            BiFunction<JobId, Optional<Fault>, CompletableFuture<?>> afterwards) {
        inHand.move(
                pool,
                job.id(),
                () -> at(pool, job.id()).isPresent(),
                () -> context.files().stage(job, staging),
                afterwards);
    }
}
