// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
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
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;

/** The files of jobs, as the engine's parts see them: what is to be moved for a job, and the calls that move it. */
final class JobFiles {

    /** Records of jobs whose LRM said, when they were accepted, that it moves their files itself. */
    private static final String MOVED_THERE = "engine.filesMovedThere";

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

    /**
     * Whether this gateway has files to move, make or delete for the job. Not where its LRM said, when the job was accepted, that it moves them
     * itself: whatever became of that LRM, the names of the job's files are those of another machine.
     */
    private boolean concerns(JobId id, JobDescription description) {
        return stager.concerns(description) && !areMovedThere(id);
    }

    private boolean areMovedThere(JobId id) {
        return store.findRecord(MOVED_THERE, id.toString()).isPresent();
    }

    /** Why the job cannot go to the LRM that has its name now: it is none any more that moves the files of its jobs, or has become one. */
    Optional<Fault> changedHands(Job job, JobDescription description) {
        Optional<Lrm> now = lrms.apply(job.lrm());
        if (now.isEmpty() || !stager.concerns(description) || now.get().movesFiles() == areMovedThere(job.id())) {
            return Optional.empty();
        }
        String was = now.get().movesFiles() ? "no other gateway" : "another gateway";
        return Optional.of(Fault.of(
                FaultCode.LRM_REFUSED,
                "The LRM " + job.lrm() + " was " + was
                        + " when the job was accepted, so its files would be in the wrong place.",
                "Submit the job again, with the names that its files have where it runs now."));
    }

    private Leftovers leftovers(JobId id, JobDescription description) {
        Optional<Job> staged = store.find(id).filter(job -> concerns(id, description));
        TransferList files = staged.map(
                        job -> stager.prepared(id, job.owner(), description).transfers())
                .orElse(TransferList.NONE);
        // one that only moves files has nothing to remove, but its files may still be on their way when it is ended
        boolean mustCleanUp =
                credentials.areWantedBy(description) || !files.cleanUp().isEmpty() || OnlyTransfers.is(description);
        return new Leftovers(files, mustCleanUp, !files.stageOut().isEmpty() && stager.sendsAfterFailure(description));
    }

    /** The description as the job runs by it, or as an LRM gets it that moves the files of its jobs itself. */
    JobDescription prepared(Job job, JobDescription description) {
        return concerns(job.id(), description) ? stager.prepared(job.id(), job.owner(), description) : description;
    }

    /** A new job as it is stored: whether it can go to its LRM at once, and who moves its files. */
    NewJob stored(Job job, JobDescription description, List<DoorRecord> records) {
        boolean areThere = moving(job.lrm()).isPresent();
        boolean areOurs = stager.concerns(description) && !areThere;
        JobDescription prepared = areOurs ? stager.prepared(job.id(), job.owner(), description) : description;
        boolean needsNoInput = areThere || prepared.transfers().stageIn().isEmpty();
        Job stored = job.withInputReady(needsNoInput && prepared.holdAt() != JobState.STAGE_IN);
        List<DoorRecord> all = new ArrayList<>(records);
        if (areThere && stager.concerns(description)) {
            all.add(new DoorRecord(MOVED_THERE, job.id().toString(), job.id(), null, job.lrm(), job.created()));
        }
        return new NewJob(stored, description, all);
    }

    /** Why the owner cannot have such a job, as far as its files are concerned. */
    Optional<Fault> refusal(Owner owner, String lrm, JobDescription description) {
        if (!stager.concerns(description)) {
            return Optional.empty();
        }
        Optional<Lrm> moving = moving(lrm);
        return moving.isPresent() ? moving.get().filesRefusal(description) : stager.refusal(owner, description);
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
                        stager.prepared(job.id(), job.owner(), description),
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
        return store.description(job.id()).filter(description -> concerns(job.id(), description));
    }

    void unfollow(JobId id) {
        stager.unfollow(id);
    }

    /** Stops sending the files of a job that has failed and is ended by its owner, who does not want them any more. */
    void stopSendingOf(Job job) {
        if (job.state() == JobState.STAGE_OUT
                && job.settledOutcome()
                        .filter(outcome -> outcome.outcome() == JobState.FAILED)
                        .isPresent()) {
            stager.stopSending(job.id());
        }
    }

    /** A job that is to end needs no more files. */
    void stopStaging(Job job) {
        boolean isStaging = job.state() == JobState.STAGE_IN || job.state() == JobState.STAGE_OUT;
        if (isStaging
                && job.settledOutcome()
                        .filter(outcome -> outcome.outcome() != JobState.DONE)
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
                        stager.prepared(job.id(), job.owner(), description),
                        sentence -> tell(job.id(), sentence)))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }
}
