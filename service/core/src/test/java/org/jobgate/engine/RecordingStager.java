// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FileStager;

/** Moves no files; remembers what it was asked for, and can be told to fail. */
final class RecordingStager implements FileStager {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<JobId, CompletableFuture<Optional<Fault>>> onTheirWay = new ConcurrentHashMap<>();
    private final Set<JobId> followed = ConcurrentHashMap.newKeySet();
    private volatile boolean takingLong;
    private volatile boolean failing;
    private volatile boolean telling;
    private volatile boolean failingCleanUp;
    private volatile boolean failingStageOut;
    private volatile boolean following;
    private volatile CompletableFuture<Void> still = CompletableFuture.completedFuture(null);

    List<String> calls() {
        return calls;
    }

    void failCleanUp() {
        failingCleanUp = true;
    }

    void failStageOut() {
        failingStageOut = true;
    }

    void failStageIn() {
        failing = true;
    }

    /** Stage-ins have something to tell. */
    void tell() {
        telling = true;
    }

    /** Stage-ins take until the job is stopped. */
    void takeLong() {
        takingLong = true;
    }

    /** What was stopped is on its way until the future is complete: clean-ups wait for that. */
    void stopWhen(CompletableFuture<Void> stopped) {
        still = stopped;
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        return Optional.empty();
    }

    @Override
    public boolean concerns(JobDescription description) {
        return !description.transfers().isEmpty();
    }

    @Override
    public JobDescription prepared(JobId id, Owner owner, JobDescription description) {
        return description;
    }

    @Override
    public void stop(JobId job) {
        if (calls.contains("sendWhatIsThere")) {
            return;
        }
        CompletableFuture<Optional<Fault>> running = onTheirWay.remove(job);
        if (running != null) {
            calls.add("stop");
            running.complete(Optional.of(Fault.of(FaultCode.STAGING_FAILED, "It was stopped.", "")));
        }
    }

    private static CompletableFuture<Optional<Fault>> moved(boolean fails, Fault fault) {
        return CompletableFuture.completedFuture(fails ? Optional.of(fault) : Optional.empty());
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageIn(Job job, JobDescription description, Consumer<String> news) {
        calls.add("stageIn");
        if (telling) {
            news.accept("its input came packed, on purpose");
        }
        if (takingLong) {
            return onTheirWay.computeIfAbsent(job.id(), id -> new CompletableFuture<>());
        }
        return moved(failing, Fault.of(FaultCode.STAGING_FAILED, "The source was not there, on purpose.", ""));
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription description, Consumer<String> news) {
        calls.add("stageOut");
        return moved(
                failingStageOut, Fault.of(FaultCode.STAGING_FAILED, "The destination was not there, on purpose.", ""));
    }

    @Override
    public boolean followsAny() {
        return following;
    }

    /** Follows the files of all jobs. */
    void follow() {
        following = true;
    }

    @Override
    public void follow(Job job, JobDescription prepared, BooleanSupplier stillRuns, Consumer<String> news) {
        if (stillRuns.getAsBoolean() && followed.add(job.id())) { // repeating it changes nothing
            calls.add("follow");
            news.accept("no more of it is sent, on purpose");
        }
    }

    @Override
    public void unfollow(JobId job) {
        if (following) {
            calls.add("unfollow");
        }
    }

    @Override
    public boolean sendsAfterFailure(JobDescription description) {
        return Boolean.TRUE.equals(description.stageOutOnFailure());
    }

    @Override
    public CompletableFuture<Optional<Fault>> sendWhatIsThere(
            Job job, JobDescription description, Consumer<String> news) {
        calls.add("sendWhatIsThere");
        return takingLong
                ? onTheirWay.computeIfAbsent(job.id(), id -> new CompletableFuture<>())
                : moved(true, Fault.of(FaultCode.STAGING_FAILED, "One was not there, on purpose.", ""));
    }

    @Override
    public void stopSending(JobId job) {
        CompletableFuture<Optional<Fault>> running = onTheirWay.remove(job);
        if (running != null) {
            calls.add("stopSending");
            running.complete(Optional.empty());
        }
    }

    @Override
    public CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription description) {
        calls.add("cleanUp");
        return still.thenCompose(stopped -> moved(
                failingCleanUp,
                Fault.of(FaultCode.STAGING_FAILED, "The file is busy, on purpose.", "Remove it yourself.")));
    }
}
