// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.store.JobQuery;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** The way of a job from its submission to its end: once, in order, whatever is said twice or gets lost. */
class JobEngineTest extends EngineTestBase {

    /** Nobody waits for so long, however slow the machine. */
    private static final Duration LONG_WAIT = Duration.ofMinutes(5);

    @Test
    void aJobGoesItsWholeWay() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        lrm.end(job.id(), 3);
        Job done = awaitState(job.id(), JobState.DONE);
        assertThat(outcome(done).exitCode()).isEqualTo(3);
        assertThat(states(job.id()))
                .containsExactly(
                        JobState.UNSUBMITTED, JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE);
        awaitLive(0);
    }

    @Test
    void theSameIdAgainIsTheSameJobAndStartsNothing() {
        lrm.runByItself();
        Submission submission = Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE);
        JobsBySubject.Submitted first = engine.submit(submission);
        JobsBySubject.Submitted second = engine.submit(submission);
        awaitState(first.job().id(), JobState.DONE);
        JobsBySubject.Submitted third = engine.submit(submission);
        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(third.isNew()).isFalse();
        assertThat(List.of(second.job().id(), third.job().id()))
                .containsOnly(first.job().id());
        assertThat(lrm.starts(first.job().id())).isEqualTo(1);
        awaitLive(0);
    }

    @Test
    void theSameIdWithAnotherDescriptionIsRefused() {
        engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE));
        assertFault(
                () -> engine.submit(
                        Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", JobDescription.of("/bin/false"))),
                FaultCode.KEY_REUSED);
        assertThat(engine.liveJobs()).isEqualTo(1);
    }

    @Test
    void theSameIdAtTwoDoorsIsTwoJobsWhateverTheLoadIs() {
        Submission here = Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE);
        Submission there = Submission.of(new JobOrigin("other", "json"), ALICE, "one", "Fork", TRUE);
        Job first = engine.submit(here).job();
        JobsBySubject.Submitted second = engine.submit(there);

        assertThat(second.isNew()).isTrue();
        assertThat(second.job().id()).isNotEqualTo(first.id());
        assertThat(second.job().origin()).isEqualTo(new JobOrigin("other", "json"));
        assertThat(first.origin()).isEqualTo(TestStores.ORIGIN);
        assertThat(engine.submitAll(List.of(there, here)))
                .extracting(answer -> requireNonNull(answer.submitted()).job().id())
                .containsExactly(second.job().id(), first.id());
        engine.drain();
        assertThat(engine.submit(there).job().id()).isEqualTo(second.job().id());
        assertThat(engine.submit(here).job().id()).isEqualTo(first.id());
        assertFault(
                () -> engine.submit(Submission.of(new JobOrigin("third", "json"), ALICE, "one", "Fork", TRUE)),
                FaultCode.SHUTTING_DOWN);
    }

    @Test
    void twoOwnersMayUseTheSameId() {
        Job alices = engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE))
                .job();
        Job bobs = engine.submit(Submission.of(TestStores.ORIGIN, BOB, "one", "Fork", TRUE))
                .job();
        assertThat(alices.id()).isNotEqualTo(bobs.id());
        assertThat(engine.find(BOB.subject(), alices.id())).isEmpty();
        assertThat(engine.cancel(BOB.subject(), alices.id())).isEmpty();
        assertThat(engine.destroy(BOB.subject(), alices.id())).isEmpty();
    }

    @Test
    void aSubmissionWhoseAnswerWasLostIsRepeatedByTagAndRunsOnce() {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        Job job = submit(TRUE);
        awaitJob(job.id(), Job::submitTried);
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        awaitState(job.id(), JobState.PENDING);
        assertThat(lrm.starts(job.id())).isEqualTo(1);
    }

    /** Else the LRM would not know it when the submission arrives, and run it again. */
    @Test
    void aJobIsNotForgottenWhileASubmissionOfItIsOnItsWay() throws Exception {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        CountDownLatch second = new CountDownLatch(2);
        Semaphore gate = new Semaphore(1);
        lrm.delaySubmissions(() -> {
            second.countDown();
            gate.acquireUninterruptibly();
        });
        Job job = submit(TRUE);
        assertThat(second.await(1, TimeUnit.MINUTES)).isTrue();

        lrm.start(job.id());
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
        await().during(Duration.ofMillis(300)).until(() -> !lrm.wasToForget(job.id()));

        gate.release();
        await().until(() -> lrm.wasToForget(job.id()));
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.DONE);
        assertThat(lrm.starts(job.id())).isEqualTo(1);
    }

    @Test
    void aQueueThatWasMadeAMomentAgoIsUsed() {
        LrmCapabilities before = new LrmCapabilities("fake", List.of(queue("old")), Set.of(), Instant.MAX);
        lrm.setCapabilities(before);
        JobDescription description = TRUE.toBuilder().queue("new").build();
        assertFault(() -> submit(description), FaultCode.INVALID_DESCRIPTION);

        lrm.setCapabilitiesNow(new LrmCapabilities("fake", List.of(queue("old"), queue("new")), Set.of(), Instant.MAX));
        awaitState(submit(description).id(), JobState.PENDING);

        lrm.setCapabilitiesNow(before.notFresh());
        awaitState(submit(description).id(), JobState.PENDING);
    }

    private static LrmCapabilities.Queue queue(String name) {
        return new LrmCapabilities.Queue(
                name, false, false, null, null, null, null, null, null, null, null, null, null);
    }

    @Test
    void anImpossibleJobIsRefusedBeforeItIsStored() {
        lrm.setCapabilities(new LrmCapabilities("fake", List.of(), Set.of(JobType.SINGLE), Instant.MAX));
        assertFault(
                () -> submit(
                        JobDescription.builder("/bin/true").jobType(JobType.MPI).build()),
                FaultCode.UNSUPPORTED_FEATURE);
        assertThat(engine.liveJobs()).isZero();
        submit(JobDescription.builder("/bin/true").jobType(JobType.SINGLE).build());
    }

    @Test
    void aRefusedJobFailsWithTheLrmsReason() {
        lrm.setMood(FakeLrm.Mood.REFUSE);
        Job job = submit(TRUE);
        Job failed = awaitState(job.id(), JobState.FAILED);
        assertThat(fault(failed).code()).isEqualTo(FaultCode.LRM_REFUSED);
        assertThat(fault(failed).during()).isEqualTo(JobState.UNSUBMITTED);
    }

    @Test
    void anEndThatComesBeforeTheAnswerToTheSubmissionCounts() {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        Job job = submit(TRUE);
        awaitJob(job.id(), Job::submitTried);
        lrm.end(job.id(), 0);
        Job done = awaitState(job.id(), JobState.DONE);
        assertThat(done.localIds()).containsExactly("fake:" + job.id());
    }

    @Test
    void replayedRecordsChangeNothing() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        lrm.end(job.id(), 7);
        Job done = awaitState(job.id(), JobState.DONE);
        lrm.replay();
        assertThat(store.find(job.id())).contains(done);
    }

    @Test
    void aNewEngineTakesUpEveryJobWhereItWas() {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        Job taken = submit(TRUE);
        awaitJob(taken.id(), Job::submitTried);
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        Job held = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        awaitJob(held.id(), Job::holding);
        engine.close();
        store.close();
        store = TestStores.sqlite(directory);
        engine = engine(JobLimits.defaults(), null);
        assertThat(engine.liveJobs()).isEqualTo(2);
        awaitState(taken.id(), JobState.PENDING);
        assertThat(lrm.starts(taken.id())).isEqualTo(1);
        assertThat(store.find(held.id()).orElseThrow().holding()).isTrue();
        lrm.end(taken.id(), 5);
        assertThat(outcome(awaitState(taken.id(), JobState.DONE)).exitCode()).isEqualTo(5);
    }

    @Test
    void aListHoldsTheSubjectsOwnJobsOnly() {
        Job mine = submit(TRUE);

        assertThat(engine.list(mine.owner().subject(), JobQuery.all()))
                .extracting(Job::id)
                .containsExactly(mine.id());
        assertThat(engine.list("/O=Other/CN=Bob", JobQuery.all())).isEmpty();
        assertThat(engine.list(
                        mine.owner().subject(),
                        JobQuery.all().toBuilder().subject("/O=Other/CN=Bob").build()))
                .hasSize(1);
    }

    @Test
    void whoWaitsForAChangeIsWokenByIt() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        Job held = awaitJob(job.id(), Job::holding);
        long begin = System.nanoTime();
        Thread.ofVirtual().start(() -> engine.cancel(ALICE.subject(), job.id()));
        Job changed = engine.awaitChange(ALICE.subject(), job.id(), held.version(), LONG_WAIT)
                .orElseThrow();
        assertThat(changed.version()).isGreaterThan(held.version());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONG_WAIT.dividedBy(2));
        assertThat(engine.awaitChange(BOB.subject(), job.id(), 0, LONG_WAIT)).isEmpty();
    }

    @Test
    void whoWaitsForAChangeIsWokenByTheStop() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        Job held = awaitJob(job.id(), Job::holding);
        long begin = System.nanoTime();
        Thread.ofVirtual().start(engine::endWaits);

        assertThat(engine.awaitChange(ALICE.subject(), job.id(), held.version(), LONG_WAIT))
                .contains(held);
        assertThat(engine.awaitChange(ALICE.subject(), job.id(), held.version(), LONG_WAIT))
                .as("nobody waits any more")
                .contains(held);
        assertThat(engine.isStopping()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONG_WAIT.dividedBy(2));
    }
}
