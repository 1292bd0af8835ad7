// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One job as it stands. Its description is kept apart: see {@link org.jobgate.store.JobStore#description}.
 *
 * @param key who sent it by which door under which id
 * @param language the language of its description at that door, e.g. {@code jdd}
 * @param lrm the name of the LRM it is meant for, e.g. {@code Fork}
 * @param version counts every stored change, from 1
 * @param inputReady whether its input files are in place
 * @param holdAt where it is still to be held, if anywhere
 * @param holding whether it is kept back now: by its owner ({@link #isHeld}) or until other jobs are over ({@link #waitsForOthers})
 * @param localIds the LRM's own ids; empty until the LRM has accepted it
 * @param submitTried whether it may have been given to the LRM already, so that the LRM must be asked before it is given again
 * @param created when it was stored
 * @param changed when its state last changed
 * @param queued when the LRM accepted it
 * @param started when the LRM started it
 * @param ended when it reached its terminal state
 * @param terminationTime when the service is to end and forget it; absent means never
 * @param outcome how it ended, settled before the clean-up
 * @param keepAfterEnd how long to keep it from its end on where it has no termination time then; absent means as long as the service
 *     keeps finished jobs
 * @param suspendWish what its owner has asked for and its LRM has not confirmed yet
 * @param destroyed whether its owner has asked to forget it: to its owner it exists no more once it is terminal
 */
public record Job(
        JobId id,
        SubmissionKey key,
        String language,
        Owner owner,
        String lrm,
        long version,
        JobState state,
        boolean inputReady,
        @Nullable JobState holdAt,
        boolean holding,
        List<String> localIds,
        boolean submitTried,
        Instant created,
        Instant changed,
        @Nullable Instant queued,
        @Nullable Instant started,
        @Nullable Instant ended,
        @Nullable Instant terminationTime,
        @Nullable JobOutcome outcome,
        @Nullable PendingReason pendingReason,
        boolean destroyed,
        @Nullable Duration keepAfterEnd,
        @Nullable SuspendWish suspendWish) {

    /** What stands in the place of the LRM of a multi-job; no LRM can have this name. */
    public static final String MULTI_LRM = "Multi";

    public Job {
        requireNonNull(id, "id is null");
        requireNonNull(key, "key is null");
        JobOrigin.requireName(language, "language");
        requireNonNull(owner, "owner is null");
        requireNonNull(lrm, "lrm is null");
        requireNonNull(state, "state is null");
        requireNonNull(created, "created is null");
        requireNonNull(changed, "changed is null");
        localIds = List.copyOf(localIds);
    }

    /** A job as it is first stored. */
    public static Job create(
            JobId id,
            SubmissionKey key,
            String language,
            Owner owner,
            String lrm,
            @Nullable JobState holdAt,
            Instant now,
            @Nullable Instant terminationTime) {
        return new Job(
                id,
                key,
                language,
                owner,
                lrm,
                1,
                JobState.UNSUBMITTED,
                false,
                holdAt,
                false,
                List.of(),
                false,
                now,
                now,
                null,
                null,
                null,
                terminationTime,
                null,
                null,
                false,
                null,
                null);
    }

    /** By which door it came, and in which language. */
    public JobOrigin origin() {
        return new JobOrigin(key.door(), language);
    }

    public Optional<JobOutcome> settledOutcome() {
        return Optional.ofNullable(outcome);
    }

    /**
     * Whether its owner holds it: a release lets it go on. Every door asks this where it says whether a job is held; {@link
     * #holding} is also true of a job that waits for others.
     */
    public boolean isHeld() {
        return holding && state != JobState.UNSUBMITTED;
    }

    /**
     * Whether it has not begun because other jobs are to end first ({@link After}); nobody can release it. It is the only job that is
     * kept back in its first state.
     */
    public boolean waitsForOthers() {
        return holding && state == JobState.UNSUBMITTED;
    }

    /** Whether its owner no longer sees it. */
    public boolean isGone() {
        return destroyed && state.isTerminal();
    }

    public Job withVersion(long value) {
        return copy(job -> job.version = value);
    }

    public Job withState(JobState value) {
        return copy(job -> job.state = value);
    }

    public Job withInputReady(boolean value) {
        return copy(job -> job.inputReady = value);
    }

    public Job withHoldAt(@Nullable JobState value) {
        return copy(job -> job.holdAt = value);
    }

    public Job withHolding(boolean value) {
        return copy(job -> job.holding = value);
    }

    public Job withLocalIds(List<String> value) {
        return copy(job -> job.localIds = value);
    }

    public Job withSubmitTried(boolean value) {
        return copy(job -> job.submitTried = value);
    }

    public Job withChanged(Instant value) {
        return copy(job -> job.changed = value);
    }

    public Job withQueued(@Nullable Instant value) {
        return copy(job -> job.queued = value);
    }

    public Job withStarted(@Nullable Instant value) {
        return copy(job -> job.started = value);
    }

    public Job withEnded(@Nullable Instant value) {
        return copy(job -> job.ended = value);
    }

    public Job withTerminationTime(@Nullable Instant value) {
        return copy(job -> job.terminationTime = value);
    }

    public Job withOutcome(@Nullable JobOutcome value) {
        return copy(job -> job.outcome = value);
    }

    public Job withPendingReason(@Nullable PendingReason value) {
        return copy(job -> job.pendingReason = value);
    }

    public Job withDestroyed(boolean value) {
        return copy(job -> job.destroyed = value);
    }

    public Job withKeepAfterEnd(@Nullable Duration value) {
        return copy(job -> job.keepAfterEnd = value);
    }

    public Job withSuspendWish(@Nullable SuspendWish value) {
        return copy(job -> job.suspendWish = value);
    }

    private Job copy(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.job();
    }

    /** What may change of a job, on its way to the next job. */
    private static final class Copy {

        private final Job before;
        private long version;
        private JobState state;
        private boolean inputReady;
        private @Nullable JobState holdAt;
        private boolean holding;
        private List<String> localIds;
        private boolean submitTried;
        private Instant changed;
        private @Nullable Instant queued;
        private @Nullable Instant started;
        private @Nullable Instant ended;
        private @Nullable Instant terminationTime;
        private @Nullable JobOutcome outcome;
        private @Nullable PendingReason pendingReason;
        private boolean destroyed;
        private @Nullable Duration keepAfterEnd;
        private @Nullable SuspendWish suspendWish;

        Copy(Job before) {
            this.before = before;
            this.version = before.version;
            this.state = before.state;
            this.inputReady = before.inputReady;
            this.holdAt = before.holdAt;
            this.holding = before.holding;
            this.localIds = before.localIds;
            this.submitTried = before.submitTried;
            this.changed = before.changed;
            this.queued = before.queued;
            this.started = before.started;
            this.ended = before.ended;
            this.terminationTime = before.terminationTime;
            this.outcome = before.outcome;
            this.pendingReason = before.pendingReason;
            this.destroyed = before.destroyed;
            this.keepAfterEnd = before.keepAfterEnd;
            this.suspendWish = before.suspendWish;
        }

        Job job() {
            return new Job(
                    before.id,
                    before.key,
                    before.language,
                    before.owner,
                    before.lrm,
                    version,
                    state,
                    inputReady,
                    holdAt,
                    holding,
                    localIds,
                    submitTried,
                    before.created,
                    changed,
                    queued,
                    started,
                    ended,
                    terminationTime,
                    outcome,
                    pendingReason,
                    destroyed,
                    keepAfterEnd,
                    suspendWish);
        }
    }
}
