// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.job.SuspendWish;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SuspendResult;
import org.jobgate.store.JobQuery;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Suspending and resuming jobs: what the owner wants is stored, asked for again, and done by the LRM. */
class SuspensionsTest extends EngineTestBase {

    private static final String SUBJECT = ALICE.subject();

    @BeforeEach
    void canSuspend() {
        lrm.suspendsIn(JobState.PENDING, JobState.ACTIVE);
    }

    private JobId running() {
        JobId id = submit(TRUE).id();
        awaitJob(id, job -> !job.localIds().isEmpty());
        lrm.start(id);
        awaitState(id, JobState.ACTIVE);
        return id;
    }

    private void assertRefused(Runnable call, String... words) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(FaultException.class, e -> {
            assertThat(e.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
            assertThat(e.fault().sentence()).contains(words);
        });
    }

    @Test
    void aRunningJobIsSuspendedAndGoesOn() {
        JobId id = running();

        assertThat(engine.suspend(SUBJECT, id)).isPresent();
        awaitState(id, JobState.SUSPENDED);
        awaitJob(id, job -> job.suspendWish() == null);

        assertThat(engine.resume(SUBJECT, id)).isPresent();
        awaitState(id, JobState.ACTIVE);
        awaitJob(id, job -> job.suspendWish() == null);
        lrm.end(id, 0);
        awaitState(id, JobState.DONE);
        assertThat(states(id)).containsSubsequence(JobState.ACTIVE, JobState.SUSPENDED, JobState.ACTIVE, JobState.DONE);
        assertThat(lrm.wishes()).containsExactly("suspend " + id, "resume " + id);
    }

    @Test
    void theWishIsAskedForAgainUntilTheLrmAnswers() {
        JobId id = running();
        lrm.answerWishes(new SuspendResult.Unclear("the LRM is busy"));

        engine.suspend(SUBJECT, id);
        await().until(() -> lrm.wishes().size() >= 2);
        assertThat(engine.find(SUBJECT, id).orElseThrow().pendingReason()).isNotNull();
        lrm.answerWishes(null);

        awaitState(id, JobState.SUSPENDED);
    }

    @Test
    void aWishOutlivesTheService() {
        JobId id = running();
        lrm.answerWishes(new SuspendResult.Unclear("the service ends before the answer"));
        engine.suspend(SUBJECT, id);
        await().until(() -> !lrm.wishes().isEmpty());
        engine.stop(Duration.ZERO);
        assertThat(store.list(JobQuery.builder().openWish().build()))
                .singleElement()
                .satisfies(job -> assertThat(job.suspendWish()).isEqualTo(SuspendWish.SUSPEND));

        lrm.answerWishes(null);
        engine = engine(JobLimits.defaults(), null);

        awaitState(id, JobState.SUSPENDED);
        // the LRM's event may come before its answer to the wish
        await().untilAsserted(() ->
                assertThat(store.list(JobQuery.builder().openWish().build())).isEmpty());
    }

    @Test
    void theLastWishCounts() {
        JobId id = running();
        lrm.answerWishes(new SuspendResult.Unclear("the LRM is busy"));
        engine.suspend(SUBJECT, id);
        engine.resume(SUBJECT, id);
        lrm.answerWishes(null);

        awaitJob(id, job -> job.suspendWish() == null);
        assertThat(store.find(id).orElseThrow().state()).isEqualTo(JobState.ACTIVE);
        assertThat(lrm.wishes()).last().isEqualTo("resume " + id);
    }

    @Test
    void aJobThatTheLrmDoesNotHaveIsNotGivenToItBeforeItIsResumed() {
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        JobId id = submit(JobDescription.builder("/bin/true")
                        .holdAt(JobState.PENDING)
                        .build())
                .id();
        awaitJob(id, Job::holding);

        engine.suspend(SUBJECT, id);
        engine.release(SUBJECT, id);

        awaitState(id, JobState.SUSPENDED);
        assertThat(lrm.knows(id)).isFalse();
        // nor after a restart
        engine.stop(Duration.ZERO);
        engine = engine(JobLimits.defaults(), null);
        assertThat(lrm.wishes()).isEmpty();
        engine.resume(SUBJECT, id);
        awaitJob(id, job -> !job.localIds().isEmpty());
        assertThat(lrm.starts(id)).isEqualTo(1);
        assertThat(states(id)).containsSubsequence(JobState.PENDING, JobState.SUSPENDED, JobState.PENDING);
    }

    @Test
    void aJobThatTheLrmDidNotTakeIsNotGivenToItAfterItsOwnerSuspendsIt() {
        lrm.setMood(FakeLrm.Mood.SILENT);
        JobId id = submit(TRUE).id();
        awaitJob(id, Job::submitTried);

        engine.suspend(SUBJECT, id);
        lrm.setMood(FakeLrm.Mood.ACCEPT);

        awaitState(id, JobState.SUSPENDED);
        assertThat(lrm.starts(id)).isZero();
        assertThat(lrm.wishes()).isEmpty();
        engine.resume(SUBJECT, id);
        awaitJob(id, job -> !job.localIds().isEmpty());
        assertThat(lrm.starts(id)).isEqualTo(1);
    }

    @Test
    void aJobThatIsSuspendedBeforeTheLrmHasItCanBeCancelled() {
        JobId id = submit(JobDescription.builder("/bin/true")
                        .holdAt(JobState.PENDING)
                        .build())
                .id();
        awaitJob(id, Job::holding);
        engine.suspend(SUBJECT, id);
        engine.release(SUBJECT, id);
        awaitState(id, JobState.SUSPENDED);

        engine.cancel(SUBJECT, id);

        awaitState(id, JobState.CANCELLED);
        assertThat(lrm.knows(id)).isFalse();
    }

    @Test
    void whatTheLrmRefusesIsToldToTheOwner() {
        JobId id = running();
        lrm.answerWishes(new SuspendResult.Refused(
                Fault.of(FaultCode.LRM_REFUSED, "Only operators may suspend jobs.", "Ask one.")));

        engine.suspend(SUBJECT, id);

        Job job = awaitJob(id, now -> now.suspendWish() == null);
        assertThat(job.state()).isEqualTo(JobState.ACTIVE);
        assertThat(String.valueOf(job.pendingReason()))
                .contains("did not suspend it: Only operators may suspend jobs.");
        assertThat(store.changesOf(id))
                .anySatisfy(change ->
                        assertThat(String.valueOf(change.note())).contains("Only operators may suspend jobs."));
    }

    @Test
    void anLrmThatCannotIsNamed() {
        JobId id = running();
        lrm.suspendsIn();
        assertRefused(() -> engine.suspend(SUBJECT, id), "The LRM Fork cannot suspend jobs.");
        lrm.suspendsIn(JobState.PENDING);
        assertRefused(() -> engine.suspend(SUBJECT, id), "The LRM Fork cannot suspend a job that runs");
        assertThat(store.find(id).orElseThrow().suspendWish()).isNull();
        assertThat(lrm.wishes()).isEmpty();
    }

    @Test
    void aJobThatIsOverIsRefusedOrLeftAsItIs() {
        JobId id = running();
        lrm.end(id, 0);
        awaitState(id, JobState.DONE);

        assertRefused(() -> engine.suspend(SUBJECT, id), "state done");
        assertThat(engine.resume(SUBJECT, id).map(Job::state)).contains(JobState.DONE);
    }

    @Test
    void nobodySuspendsTheJobOfAnother() {
        JobId id = running();

        assertThat(engine.suspend(BOB.subject(), id)).isEqualTo(Optional.empty());
        assertThat(engine.resume(BOB.subject(), id)).isEqualTo(Optional.empty());
        assertThat(lrm.wishes()).isEmpty();
    }

    @Test
    void aMultiJobIsRefusedByName() {
        JobDescription multi = JobDescription.multi(List.of(new SubJob("Fork", "alice", TRUE)), null);
        JobId id = engine.submit(Submission.of(
                        TestStores.ORIGIN, new Owner(SUBJECT, "alice"), "multi", JobsBySubject.MULTI, multi))
                .job()
                .id();

        assertRefused(() -> engine.suspend(SUBJECT, id), "multi-job");
    }

    @Test
    void aJobThatEndsInBetweenKeepsNoWish() {
        JobId id = running();
        lrm.answerWishes(new SuspendResult.Unclear("the LRM is busy"));
        engine.suspend(SUBJECT, id);
        lrm.end(id, 0);

        assertThat(awaitState(id, JobState.DONE).suspendWish()).isNull();
    }

    @Test
    void theStateOfTheLrmCountsAndNotTheAnswer() {
        JobId id = running();
        lrm.setCapabilities(LrmCapabilities.UNKNOWN);
        lrm.answerWishes(new SuspendResult.Done());
        engine.suspend(SUBJECT, id);
        awaitJob(id, job -> job.suspendWish() == null);
        assertThat(store.find(id).orElseThrow().state()).isEqualTo(JobState.ACTIVE);

        lrm.tell(id, LrmEvent.Kind.SUSPENDED);

        awaitState(id, JobState.SUSPENDED);
    }
}
