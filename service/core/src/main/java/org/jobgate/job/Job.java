// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One job as it stands. Its description is kept apart: see {@link org.jobgate.store.JobStore#description}.
 *
 * @param lrm the name of the LRM it is meant for, e.g. {@code Fork}
 * @param version counts every stored change, from 1
 * @param inputReady whether its input files are in place
 * @param holdAt where it is still to be held, if anywhere
 * @param holding whether it is held now
 * @param localIds the LRM's own ids; empty until the LRM has accepted it
 * @param submitTried whether it may have been given to the LRM already, so that the LRM must be asked before it is given again
 * @param created when it was stored
 * @param changed when its state last changed
 * @param queued when the LRM accepted it
 * @param started when the LRM started it
 * @param ended when it reached its terminal state
 * @param terminationTime when the service is to end and forget it; absent means never
 * @param ending how it ended, settled before the clean-up
 * @param keepAfterEnd how long to keep it from its end on where it has no termination time then; absent means as long as the service
 *     keeps finished jobs
 * @param suspendWish what its owner has asked for and its LRM has not confirmed yet
 * @param destroyed whether its owner has asked to forget it: to its owner it exists no more once it is terminal
 */
public record Job(
        JobId id,
        SubmissionKey key,
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
        @Nullable JobOutcome ending,
        @Nullable PendingReason doubt,
        boolean destroyed,
        @Nullable Duration keepAfterEnd,
        @Nullable SuspendWish suspendWish) {

    /** What stands in the place of the LRM of a multi-job; no LRM can have this name. */
    public static final String MULTI_LRM = "Multi";

    public Job {
        requireNonNull(id, "id is null");
        requireNonNull(key, "key is null");
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
            Owner owner,
            String lrm,
            @Nullable JobState holdAt,
            Instant now,
            @Nullable Instant terminationTime) {
        return new Job(
                id,
                key,
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

    public Optional<JobOutcome> settledEnding() {
        return Optional.ofNullable(ending);
    }

    /** Whether its owner no longer sees it. */
    public boolean isGone() {
        return destroyed && state.isTerminal();
    }

    public Job withVersion(long value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                value,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withState(JobState value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                value,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withInputReady(boolean value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                value,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withHoldAt(@Nullable JobState value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                value,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withHolding(boolean value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                value,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withLocalIds(List<String> value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                value,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withSubmitTried(boolean value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                value,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withChanged(Instant value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                value,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withQueued(@Nullable Instant value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                value,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withStarted(@Nullable Instant value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                value,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withEnded(@Nullable Instant value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                value,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withTerminationTime(@Nullable Instant value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                value,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withEnding(@Nullable JobOutcome value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                value,
                doubt,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withDoubt(@Nullable PendingReason value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                value,
                destroyed,
                keepAfterEnd,
                suspendWish);
    }

    public Job withDestroyed(boolean value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                value,
                keepAfterEnd,
                suspendWish);
    }

    public Job withKeepAfterEnd(@Nullable Duration value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                value,
                suspendWish);
    }

    public Job withSuspendWish(@Nullable SuspendWish value) {
        return new Job(
                id,
                key,
                owner,
                lrm,
                version,
                state,
                inputReady,
                holdAt,
                holding,
                localIds,
                submitTried,
                created,
                changed,
                queued,
                started,
                ended,
                terminationTime,
                ending,
                doubt,
                destroyed,
                keepAfterEnd,
                value);
    }
}
