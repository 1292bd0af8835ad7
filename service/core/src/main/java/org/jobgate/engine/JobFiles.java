// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.Owner;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.NoFiles;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.JobStore;

/** The files of jobs, as the engine's parts see them: what is to be moved for a job, and the calls that move it. */
final class JobFiles {

    private final JobStore store;
    private final FileStager stager;
    private final JobCredentials credentials;
    private final BiConsumer<JobId, String> news;
    private final Function<String, Optional<Lrm>> lrms;

    /**
     * The files of the jobs in a store.
     *
     * @param news is told what the owner of a job should know of its files
     * @param lrms by their names: some of them move the files of their jobs themselves
     */
    JobFiles(
            JobStore store,
            FileStager stager,
            JobCredentials credentials,
            BiConsumer<JobId, String> news,
            Function<String, Optional<Lrm>> lrms) {
        this.store = store;
        this.lrms = lrms;
        this.stager = stager;
        this.credentials = credentials;
        this.news = news;
    }

    /** Whether the gateway transfers files at all. */
    boolean canStage() {
        return stager != NoFiles.INSTANCE;
    }

    /**
     * What is to be done between the end of a job in its LRM and its terminal state.
     *
     * @param mustCleanUp whether there is something to remove, or to wait for
     */
    record Leftovers(TransferList transfers, boolean mustCleanUp, boolean sendsAfterFailure) {
        static final Leftovers NONE = new Leftovers(TransferList.NONE, false, false);
    }

    /** What there is to do; nothing for a job that is gone. */
    Leftovers leftovers(JobId id) {
        return store.description(id)
                .map(description -> leftovers(id, description))
                .orElse(Leftovers.NONE);
    }

    /** The LRM that gets the files of its jobs with the jobs, and moves them itself. */
    private Optional<Lrm> moving(String lrm) {
        return lrms.apply(lrm).filter(Lrm::movesFiles);
    }

    /** Whether this gateway has files to move, make or delete for a job of this description. */
    private boolean concerns(String lrm, JobDescription description) {
        return stager.concerns(description) && moving(lrm).isEmpty();
    }

    private Leftovers leftovers(JobId id, JobDescription description) {
        Optional<Job> staged = store.find(id).filter(job -> concerns(job.lrm(), description));
        TransferList files = staged.map(
                        job -> prepared(id, job.owner(), job.lrm(), description).transfers())
                .orElse(TransferList.NONE);
        // one that only moves files has nothing to remove, but its files may still be on their way when it is ended
        boolean mustCleanUp =
                credentials.areWantedBy(description) || !files.cleanUp().isEmpty() || OnlyTransfers.is(description);
        return new Leftovers(files, mustCleanUp, !files.stageOut().isEmpty() && stager.sendsAfterFailure(description));
    }

    /** The description as the job runs by it, or as an LRM gets it that moves the files of its jobs itself. */
    JobDescription prepared(JobId id, Owner owner, String lrm, JobDescription description) {
        return concerns(lrm, description) ? stager.prepared(id, owner, description) : description;
    }

    /** Whether the job, of a prepared description, can go to its LRM at once. */
    boolean needsNoInput(String lrm, JobDescription prepared) {
        boolean isThere =
                prepared.transfers().stageIn().isEmpty() || moving(lrm).isPresent();
        return isThere && prepared.holdAt() != JobState.STAGE_IN;
    }

    /** Why the owner cannot have such a job, as far as its files are concerned. */
    Optional<Fault> refusal(Owner owner, String lrm, JobDescription description) {
        if (!stager.concerns(description)) {
            return Optional.empty();
        }
        Optional<Lrm> moving = moving(lrm);
        return moving.isPresent()
                ? moving.get().filesRefusal(description)
                : stager.refusal(owner, description);
    }

    /** Whether there may be jobs whose files are sent while they run. */
    boolean followsAny() {
        return stager.followsAny();
    }

    /** Has the files of a running job sent that its owner wants to see before its end. */
    void follow(Job job) {
        ofStaged(job)
                .ifPresent(description -> stager.follow(
                        job,
                        prepared(job.id(), job.owner(), job.lrm(), description),
                        () -> store.find(job.id()).filter(EngineContext::runs).isPresent(),
                        sentence -> tell(job.id(), sentence)));
    }

    /** A movement that was over when the service was killed, and was not written down as that, is told once more after the start. */
    private void tell(JobId id, String sentence) {
        if (store.changesOf(id).stream().noneMatch(change -> sentence.equals(change.note()))) {
            news.accept(id, sentence);
        }
    }

    private Optional<JobDescription> ofStaged(Job job) {
        return store.description(job.id()).filter(description -> concerns(job.lrm(), description));
    }

    void unfollow(JobId id) {
        stager.unfollow(id);
    }

    /** Stops sending the files of a job that has failed and is ended by its owner, who does not want them any more. */
    void stopSendingOf(Job job) {
        if (job.state() == JobState.STAGE_OUT
                && job.settledEnding()
                        .filter(ending -> ending.outcome() == JobState.FAILED)
                        .isPresent()) {
            stager.stopSending(job.id());
        }
    }

    /** A job that is to end needs no more files. */
    void stopStaging(Job job) {
        boolean isStaging = job.state() == JobState.STAGE_IN || job.state() == JobState.STAGE_OUT;
        if (isStaging
                && job.settledEnding()
                        .filter(ending -> ending.outcome() != JobState.DONE)
                        .isPresent()) {
            stager.stop(job.id());
        }
    }

    /** One movement of files. */
    @FunctionalInterface
    interface Staging {
        CompletableFuture<Optional<Fault>> move(
                FileStager stager, Job job, JobDescription prepared, Consumer<String> news);

        /** One that has nothing to tell. */
        static Staging silent(SilentStaging staging) {
            return (stager, job, prepared, news) -> staging.move(stager, job, prepared);
        }
    }

    /** One movement of files of which nothing is told but its end. */
    @FunctionalInterface
    interface SilentStaging {
        CompletableFuture<Optional<Fault>> move(FileStager stager, Job job, JobDescription prepared);
    }

    /** Moves files; jobs without any are done at once. */
    CompletableFuture<Optional<Fault>> stage(Job job, Staging staging) {
        return ofStaged(job)
                .map(description -> staging.move(
                        stager,
                        job,
                        prepared(job.id(), job.owner(), job.lrm(), description),
                        sentence -> tell(job.id(), sentence)))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }
}
