// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** How long jobs are kept, and how many are taken. */
class LifetimesAndLimitsTest extends EngineTestBase {

    @Test
    void aDestroyedJobIsEndedAndThenUnknownToItsOwner() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        engine.destroy(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.CANCELLED);
        assertThat(engine.find(ALICE.subject(), job.id())).isEmpty();
        assertThat(engine.find(job.id())).isPresent();
    }

    private Job submitToBeKept(Duration keepAfterEnd) {
        String key = "key-" + System.nanoTime();
        return engine.submit(new Submission(
                        newId(), TestStores.ORIGIN, ALICE, key, "Fork", TRUE, null, keepAfterEnd, List.of()))
                .job();
    }

    @Test
    void aJobThatIsKeptForATimeAfterItsEndHasATerminationTimeFromThenOn() {
        Job job = submitToBeKept(Duration.ofHours(24));
        awaitState(job.id(), JobState.PENDING);
        assertThat(store.find(job.id()).orElseThrow().terminationTime()).isNull();
        lrm.end(job.id(), 0);
        Job done = awaitState(job.id(), JobState.DONE);

        Instant end = requireNonNull(done.ended(), "no end");
        assertThat(done.terminationTime()).isEqualTo(end.plus(Duration.ofHours(24)));
        Instant later = engine.setTerminationTime(ALICE.subject(), job.id(), null)
                .orElseThrow()
                .terminationTime();
        assertThat(later).isAfter(end.plus(Duration.ofHours(24)));
    }

    @Test
    void aJobThatIsKeptForNoTimeAfterItsEndIsForgottenThen() {
        Job job = submitToBeKept(Duration.ZERO);
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 0);

        awaitJob(job.id(), Job::isGone);
        assertThat(engine.find(ALICE.subject(), job.id())).isEmpty();
        assertThat(outcome(store.find(job.id()).orElseThrow()).outcome()).isEqualTo(JobState.DONE);
    }

    @Test
    void aTerminationTimeThatWasGivenStandsAfterTheEnd() {
        Job job = submitToBeKept(Duration.ZERO);
        awaitState(job.id(), JobState.PENDING);
        Instant given = Instant.parse("2099-01-01T00:00:00Z");
        engine.setTerminationTime(ALICE.subject(), job.id(), given);
        lrm.end(job.id(), 0);

        assertThat(awaitState(job.id(), JobState.DONE).terminationTime()).isEqualTo(given);
    }

    @Test
    void aJobWhoseLifetimeIsOverIsEndedAndForgotten() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        engine.setTerminationTime(ALICE.subject(), job.id(), Instant.now().plusMillis(150));
        Job ended = awaitState(job.id(), JobState.CANCELLED);
        assertThat(fault(ended).code()).isEqualTo(FaultCode.LIFETIME_EXPIRED);
        assertThat(engine.find(ALICE.subject(), job.id())).isEmpty();
    }

    @Test
    void aTerminationTimeInThePastIsRefused() {
        Job job = submit(TRUE);
        assertFault(
                () -> engine.setTerminationTime(
                        ALICE.subject(), job.id(), Instant.now().minusSeconds(1)),
                FaultCode.INVALID_TERMINATION_TIME);
    }

    @Test
    void limitsSayTheirNameTheirValueAndTheCount() {
        engine.close();
        engine = engine(
                JobLimits.defaults()
                        .with(
                                new Limit("limits.maxLiveJobsPerOwner", 2),
                                new Limit("limits.maxArguments", 3),
                                new Limit("limits.maxTextBytes", 10)),
                null);
        assertThatThrownBy(() -> submit(JobDescription.of("/bin/true", "1", "2", "3", "4")))
                .hasMessageContaining("limits.maxArguments = 3")
                .hasMessageContaining("4");
        assertThatThrownBy(() -> submit(JobDescription.of("/bin/true", "12345678901")))
                .hasMessageContaining("limits.maxTextBytes");
        submit(TRUE);
        submit(TRUE);
        assertThatThrownBy(() -> submit(TRUE)).hasMessageContaining("limits.maxLiveJobsPerOwner = 2");
        assertThat(engine.submit(Submission.of(TestStores.ORIGIN, BOB, "b", "Fork", TRUE))
                        .isNew())
                .isTrue();
    }

    @Test
    void aMultiJobIsToldToComeAgainOnlyWhereTheLimitHasRoomForAllOfIt() {
        engine.close();
        engine = engine(JobLimits.defaults().with(new Limit("limits.maxLiveJobsPerOwner", 3)), null);
        submit(TRUE);

        assertThat(refusal(multi(2)).later()).isEqualTo(Later.whenThereIsRoom(Later.Room.OWNER));
        assertThat(refusal(multi(3)).later()).isNull();
        assertThat(refusal(multi(3)).sentence()).contains("limits.maxLiveJobsPerOwner = 3", "5");
    }

    private Fault refusal(JobDescription multi) {
        return catchThrowableOfType(
                        FaultException.class,
                        () -> engine.submit(
                                Submission.of(TestStores.ORIGIN, ALICE, "multi", JobsBySubject.MULTI, multi)))
                .fault();
    }

    private static JobDescription multi(int subJobs) {
        return JobDescription.multi(Collections.nCopies(subJobs, new SubJob("Fork", ALICE.account(), TRUE)), null);
    }

    @Test
    void aRepeatedSubmissionIsAnsweredWhenNoNewJobWouldBeTaken() {
        Job job = engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE))
                .job();
        engine.drain();
        assertThat(engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE))
                        .job()
                        .id())
                .isEqualTo(job.id());
        assertFault(
                () -> engine.submit(
                        Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", JobDescription.of("/bin/false"))),
                FaultCode.KEY_REUSED);
        assertFault(
                () -> engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "two", "Fork", TRUE)),
                FaultCode.SHUTTING_DOWN);
    }

    @Test
    void moreJobsThanTheQueueHoldsAllGetTheirTurn() {
        lrm.runByItself();
        List<Submission> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(Submission.of(TestStores.ORIGIN, i % 2 == 0 ? ALICE : BOB, "many-" + i, "Fork", TRUE));
        }
        assertThat(engine.submitAll(many)).allMatch(answer -> answer.submitted() != null);
        await().atMost(Duration.ofMinutes(1)).until(() -> engine.liveJobs() == 0);
    }

    @Test
    void aRepeatedBulkSubmissionIsAnsweredWhenNoNewJobIsTaken() {
        Submission first = Submission.of(TestStores.ORIGIN, ALICE, "bulk-1", "Fork", TRUE);
        Job job = requireNonNull(engine.submitAll(List.of(first)).getFirst().submitted())
                .job();
        engine.drain();

        List<JobsBySubject.BulkAnswer> answers = engine.submitAll(List.of(
                first,
                Submission.of(TestStores.ORIGIN, ALICE, "bulk-2", "Fork", TRUE),
                Submission.of(TestStores.ORIGIN, ALICE, "bulk-1", "Fork", OTHER)));

        assertThat(requireNonNull(answers.get(0).submitted()).job().id()).isEqualTo(job.id());
        assertThat(requireNonNull(answers.get(0).submitted()).isNew()).isFalse();
        assertThat(requireNonNull(answers.get(1).fault()).code()).isEqualTo(FaultCode.SHUTTING_DOWN);
        assertThat(requireNonNull(answers.get(2).fault()).code()).isEqualTo(FaultCode.KEY_REUSED);
    }

    @Test
    void theSameIdTwiceInOneBulkSubmissionIsOneJob() {
        List<JobsBySubject.BulkAnswer> answers = engine.submitAll(List.of(
                Submission.of(TestStores.ORIGIN, ALICE, "twice", "Fork", TRUE),
                Submission.of(TestStores.ORIGIN, ALICE, "twice", "Fork", TRUE),
                Submission.of(TestStores.ORIGIN, ALICE, "twice", "Fork", OTHER)));

        JobsBySubject.Submitted made = requireNonNull(answers.get(0).submitted());
        assertThat(made.isNew()).isTrue();
        assertThat(requireNonNull(answers.get(1).submitted()).job().id())
                .isEqualTo(made.job().id());
        assertThat(requireNonNull(answers.get(1).submitted()).isNew()).isFalse();
        assertThat(requireNonNull(answers.get(2).fault()).code()).isEqualTo(FaultCode.KEY_REUSED);
    }

    @Test
    void aDrainingServiceTakesNoNewJobsAndGoesOnWithTheOthers() {
        Job job = submit(TRUE);
        engine.drain();
        assertFault(() -> submit(TRUE), FaultCode.SHUTTING_DOWN);
        awaitState(job.id(), JobState.PENDING);
        engine.resume();
        assertThat(submit(TRUE).state()).isEqualTo(JobState.UNSUBMITTED);
    }
}
