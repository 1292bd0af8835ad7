// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs that wait, are held and released, or cancelled. */
class HoldsAndCancelsTest extends EngineTestBase {

    @Test
    void anLrmThatSaysNothingMakesJobsWaitAndSayWhy() {
        lrm.setMood(FakeLrm.Mood.SILENT);
        Job job = submit(TRUE);
        awaitJob(job.id(), Job::submitTried);
        Job waiting = await().until(
                        () -> engine.find(ALICE.subject(), job.id()).orElseThrow(),
                        found -> found.pendingReason() != null);
        assertThat(waiting.state()).isEqualTo(JobState.UNSUBMITTED);
        assertThat(requireNonNull(waiting.pendingReason()).because()).contains("says nothing");
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        awaitState(job.id(), JobState.PENDING);
        assertThat(engine.find(ALICE.subject(), job.id()).orElseThrow().pendingReason())
                .isNull();
    }

    @Test
    void aJobForWhichTheLrmHasNoClearAnswerWaitsAlone() {
        lrm.close("closed", true);
        Job waiting = submit(TRUE.toBuilder().queue("closed").build());
        Job told = await().until(
                        () -> engine.find(ALICE.subject(), waiting.id()).orElseThrow(),
                        found -> found.pendingReason() != null);

        assertThat(requireNonNull(told.pendingReason()).because()).contains("is closed");
        assertThat(engine.lrmAdministration().status().getFirst().backOffs())
                .as("accounts that are left alone")
                .isEmpty();
        Job other = submit(TRUE);
        awaitState(other.id(), JobState.PENDING);
        assertThat(engine.find(ALICE.subject(), other.id()).orElseThrow().pendingReason())
                .isNull();

        lrm.close("", false);
        awaitState(waiting.id(), JobState.PENDING);
        assertThat(engine.find(ALICE.subject(), waiting.id()).orElseThrow().pendingReason())
                .isNull();
    }

    @Test
    void theCancelOfAJobThatItsLrmNeverGotIsNoAnswerOfTheLrm() {
        Job never = submit(TRUE.toBuilder().holdAt(JobState.STAGE_IN).build());
        awaitJob(never.id(), Job::holding);
        lrm.setMood(FakeLrm.Mood.SILENT);
        submit(TRUE);
        LrmStatus.BackOff before = backOffAfter(0);

        engine.cancel(ALICE.subject(), never.id());
        awaitState(never.id(), JobState.CANCELLED);

        assertThat(backOffAfter(before.times() + 3).since())
                .as("since when the LRM gives no clear answer")
                .isEqualTo(before.since());
    }

    private LrmStatus.BackOff backOffAfter(int tries) {
        return await().until(
                        () -> engine.lrmAdministration().status().getFirst().backOffs(),
                        seen -> !seen.isEmpty() && seen.getFirst().times() > tries)
                .getFirst();
    }

    @Test
    void whatTheLrmSaysOfAHeldOrWaitingJobIsShownUntilItRuns() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.tell(job.id(), LrmEvent.Kind.QUEUED, "Resources");
        assertThat(reasonOf(job)).isEqualTo("Resources");
        lrm.tell(job.id(), LrmEvent.Kind.QUEUED);
        assertThat(reasonOf(job)).isNull();
        lrm.tell(job.id(), LrmEvent.Kind.SUSPENDED, "out of\nscratch space");
        assertThat(reasonOf(job)).isEqualTo("out of scratch space");
        assertThat(store.changesOf(job.id()).getLast().note()).isEqualTo("out of scratch space");
        lrm.tell(job.id(), LrmEvent.Kind.QUEUED, "late news of an earlier state");
        assertThat(reasonOf(job)).isEqualTo("out of scratch space");
        lrm.setHealth(new LrmHealth(false, "the LRM is down", Duration.ZERO));
        assertThat(reasonOf(job)).isEqualTo("the LRM is down");
        lrm.setHealth(new LrmHealth(true, "", Duration.ZERO));
        lrm.start(job.id());
        assertThat(reasonOf(job)).isNull();
    }

    @Test
    void thatTheLrmDoesNotKnowAJobAnyMoreIsToldAndChangesNothingElse() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        awaitState(job.id(), JobState.ACTIVE);
        lrm.tell(job.id(), LrmEvent.Kind.UNKNOWN, "unknown: in neither queue nor history");
        assertThat(reasonOf(job)).isEqualTo("unknown: in neither queue nor history");
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.ACTIVE);
        lrm.tell(job.id(), LrmEvent.Kind.STARTED);
        assertThat(reasonOf(job)).isNull();
    }

    private @Nullable String reasonOf(Job job) {
        PendingReason reason =
                engine.find(ALICE.subject(), job.id()).orElseThrow().pendingReason();
        return reason == null ? null : reason.because();
    }

    @Test
    void aCancelledJobIsEndedInTheLrmAndSaysWhoDidIt() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        engine.cancel(ALICE.subject(), job.id());
        Job cancelled = awaitState(job.id(), JobState.CANCELLED);
        assertThat(fault(cancelled).code()).isEqualTo(FaultCode.CANCELLED_BY_USER);
        assertThat(fault(cancelled).during()).isEqualTo(JobState.ACTIVE);
        engine.cancel(ALICE.subject(), job.id());
        assertThat(store.find(job.id())).contains(cancelled);
    }

    @Test
    void aJobThatEndedByItselfBeforeTheCancelReachedItIsDone() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.setMood(FakeLrm.Mood.SILENT);
        engine.cancel(ALICE.subject(), job.id());
        lrm.end(job.id(), 0);
        assertThat(awaitJob(job.id(), j -> j.state().isTerminal()).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void aJobCancelledWhileItsSubmissionIsUnclearDoesNotRunOn() {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        Job job = submit(TRUE);
        awaitJob(job.id(), Job::submitTried);
        engine.cancel(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.CANCELLED);
        assertThat(lrm.starts(job.id())).isEqualTo(1);
    }

    @Test
    void aHeldJobWaitsForItsRelease() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        Job held = awaitJob(job.id(), Job::holding);
        assertThat(held.state()).isEqualTo(JobState.PENDING);
        assertThat(lrm.knows(job.id())).isFalse();
        engine.release(ALICE.subject(), job.id());
        await().until(() -> lrm.knows(job.id()));
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
    }

    /** For files that the owner brings before the job runs, and fetches after it. */
    @Test
    void aJobMayBeHeldOnceMoreAfterItsFirstRelease() {
        Job job = submit(TRUE.toBuilder()
                .holdAt(JobState.STAGE_IN)
                .holdAgain(JobState.CLEAN_UP)
                .build());
        assertThat(awaitJob(job.id(), Job::holding).state()).isEqualTo(JobState.STAGE_IN);
        engine.release(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 0);
        assertThat(awaitJob(job.id(), Job::holding).state()).isEqualTo(JobState.CLEAN_UP);
        engine.release(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.DONE);
    }

    @Test
    void aHoldAtTheCleanUpIsReleasedToTheEnd() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.CLEAN_UP).build());
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 4);
        Job held = awaitJob(job.id(), Job::holding);
        assertThat(held.state()).isEqualTo(JobState.CLEAN_UP);
        engine.release(ALICE.subject(), job.id());
        assertThat(outcome(awaitState(job.id(), JobState.DONE)).exitCode()).isEqualTo(4);
    }

    /** A hold that was lost silently for jobs without files. */
    @Test
    void aHoldAtAStagingIsKeptForAJobWithoutFilesToo() {
        for (JobState place : List.of(JobState.STAGE_IN, JobState.STAGE_OUT)) {
            Job job = submit(TRUE.toBuilder().holdAt(place).build());
            if (place == JobState.STAGE_OUT) {
                awaitState(job.id(), JobState.PENDING);
                lrm.end(job.id(), 0);
            }
            assertThat(awaitJob(job.id(), Job::holding).state()).isEqualTo(place);
            assertThat(lrm.knows(job.id())).isEqualTo(place == JobState.STAGE_OUT);
            engine.release(ALICE.subject(), job.id());
            if (place == JobState.STAGE_IN) {
                awaitState(job.id(), JobState.PENDING);
                lrm.end(job.id(), 0);
            }
            awaitState(job.id(), JobState.DONE);
        }
    }

    @Test
    void aHeldJobCanBeCancelledAndNeverReachesTheLrm() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        awaitJob(job.id(), Job::holding);
        engine.cancel(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.CANCELLED);
        assertThat(lrm.knows(job.id())).isFalse();
    }
}
