// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jobgate.job.Doubt;
import org.jobgate.job.Ending;
import org.jobgate.job.Extension;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Owner;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.Change;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobEngineTest {

    private static final Owner ALICE = new Owner("/O=Test/CN=Alice", "alice");
    private static final Owner BOB = new Owner("/O=Test/CN=Bob", "bob");
    private static final JobDescription TRUE = JobDescription.of("/bin/true");
    private static final TransferList LEAVING = new TransferList(List.of(), List.of(), List.of("file:///left"));
    private static final JobDescription OTHER = JobDescription.of("/bin/false");
    private static final EngineSettings QUICK = new EngineSettings(
            2,
            2,
            2,
            2,
            2,
            100,
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofDays(1),
            Duration.ofMillis(200));

    @TempDir
    Path directory;

    private final FakeLrm lrm = new FakeLrm("Fork");
    private JobStore store;
    private JobEngine engine;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        engine = engine(JobLimits.defaults(), null);
    }

    private JobEngine engine(JobLimits limits, @Nullable FileStager stager) {
        JobEngine fresh =
                new JobEngine(store, List.of(lrm), stager, null, limits, QUICK, Clock.systemUTC(), new Random(1));
        fresh.start();
        return fresh;
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    private Job submit(JobDescription description) {
        return engine.submit(Submission.of(ALICE, "key-" + System.nanoTime(), "Fork", description))
                .job();
    }

    private Job awaitJob(JobId id, Predicate<Job> condition) {
        return await().atMost(Duration.ofSeconds(10)).until(() -> store.find(id).orElseThrow(), condition);
    }

    private Job awaitState(JobId id, JobState state) {
        return awaitJob(id, job -> job.state() == state);
    }

    private static Ending ending(Job job) {
        return requireNonNull(job.ending(), "the ending is not settled");
    }

    private static Fault fault(Job job) {
        return requireNonNull(ending(job).fault(), "no fault");
    }

    private List<JobState> states(JobId id) {
        List<JobState> states = new ArrayList<>();
        for (Change change : store.changesOf(id)) {
            if (states.isEmpty() || states.getLast() != change.to()) {
                states.add(change.to());
            }
        }
        return states;
    }

    @Test
    void aJobGoesItsWholeWay() {
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        lrm.end(job.id(), 3);
        Job done = awaitState(job.id(), JobState.DONE);
        assertThat(ending(done).exitCode()).isEqualTo(3);
        assertThat(states(job.id()))
                .containsExactly(
                        JobState.UNSUBMITTED, JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE);
        assertThat(engine.liveJobs()).isZero();
    }

    @Test
    void theSameIdAgainIsTheSameJobAndStartsNothing() {
        lrm.runByItself();
        Submission submission = Submission.of(ALICE, "one", "Fork", TRUE);
        Jobs.Submitted first = engine.submit(submission);
        Jobs.Submitted second = engine.submit(submission);
        awaitState(first.job().id(), JobState.DONE);
        Jobs.Submitted third = engine.submit(submission);
        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(third.isNew()).isFalse();
        assertThat(List.of(second.job().id(), third.job().id()))
                .containsOnly(first.job().id());
        assertThat(lrm.starts(first.job().id())).isEqualTo(1);
        assertThat(engine.liveJobs()).isZero();
    }

    @Test
    void theSameIdWithAnotherDescriptionIsRefused() {
        engine.submit(Submission.of(ALICE, "one", "Fork", TRUE));
        assertFault(
                () -> engine.submit(Submission.of(ALICE, "one", "Fork", JobDescription.of("/bin/false"))),
                FaultCode.KEY_REUSED);
        assertThat(engine.liveJobs()).isEqualTo(1);
    }

    @Test
    void twoOwnersMayUseTheSameId() {
        Job alices = engine.submit(Submission.of(ALICE, "one", "Fork", TRUE)).job();
        Job bobs = engine.submit(Submission.of(BOB, "one", "Fork", TRUE)).job();
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
        assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();

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
    void anLrmThatSaysNothingMakesJobsWaitAndSayWhy() {
        lrm.setMood(FakeLrm.Mood.SILENT);
        Job job = submit(TRUE);
        awaitJob(job.id(), Job::submitTried);
        Job waiting = await().until(
                        () -> engine.find(ALICE.subject(), job.id()).orElseThrow(), found -> found.doubt() != null);
        assertThat(waiting.state()).isEqualTo(JobState.UNSUBMITTED);
        assertThat(requireNonNull(waiting.doubt()).because()).contains("says nothing");
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        awaitState(job.id(), JobState.PENDING);
        assertThat(engine.find(ALICE.subject(), job.id()).orElseThrow().doubt()).isNull();
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
        Doubt reason = engine.find(ALICE.subject(), job.id()).orElseThrow().doubt();
        return reason == null ? null : reason.because();
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

    /** For files that the owner brings himself before, and fetches himself after. */
    @Test
    void aJobMayBeHeldOnceMoreAfterItsFirstRelease() {
        Job job = submit(TRUE.toBuilder()
                .holdAt(JobState.STAGE_IN)
                .extensions(List.of(new Extension("holdAgain", Map.of(), " CleanUp ", List.of())))
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
        assertThat(ending(awaitState(job.id(), JobState.DONE)).exitCode()).isEqualTo(4);
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
        return engine.submit(new Submission(ALICE, key, "Fork", TRUE, null, keepAfterEnd, id -> List.of()))
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
        assertThat(ending(store.find(job.id()).orElseThrow()).outcome()).isEqualTo(JobState.DONE);
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
        JobLimits defaults = JobLimits.defaults();
        engine = engine(
                new JobLimits(
                        defaults.liveJobs(),
                        new Limit("limits.maxLiveJobsPerOwner", 2),
                        new Limit("limits.maxArguments", 3),
                        defaults.environment(),
                        new Limit("limits.maxTextBytes", 10),
                        defaults.descriptionBytes(),
                        defaults.count(),
                        defaults.subJobs()),
                null);
        assertThatThrownBy(() -> submit(JobDescription.of("/bin/true", "1", "2", "3", "4")))
                .hasMessageContaining("limits.maxArguments = 3")
                .hasMessageContaining("4");
        assertThatThrownBy(() -> submit(JobDescription.of("/bin/true", "12345678901")))
                .hasMessageContaining("limits.maxTextBytes");
        submit(TRUE);
        submit(TRUE);
        assertThatThrownBy(() -> submit(TRUE)).hasMessageContaining("limits.maxLiveJobsPerOwner = 2");
        assertThat(engine.submit(Submission.of(BOB, "b", "Fork", TRUE)).isNew()).isTrue();
    }

    @Test
    void aRepeatedSubmissionIsAnsweredWhenNoNewJobWouldBeTaken() {
        Job job = engine.submit(Submission.of(ALICE, "one", "Fork", TRUE)).job();
        engine.drain();
        assertThat(engine.submit(Submission.of(ALICE, "one", "Fork", TRUE))
                        .job()
                        .id())
                .isEqualTo(job.id());
        assertFault(
                () -> engine.submit(Submission.of(ALICE, "one", "Fork", JobDescription.of("/bin/false"))),
                FaultCode.KEY_REUSED);
        assertFault(() -> engine.submit(Submission.of(ALICE, "two", "Fork", TRUE)), FaultCode.SHUTTING_DOWN);
    }

    @Test
    void filesAreRefusedWhereThereIsNoFileTransfer() {
        TransferList files = new TransferList(List.of(new Transfer("gsiftp://a/b", "file:///c")), List.of(), List.of());
        assertFault(() -> submit(TRUE.toBuilder().transfers(files).build()), FaultCode.UNSUPPORTED_FEATURE);
    }

    @Test
    void aCleanUpThatFailsAfterItsOwnersCancelIsHowTheJobEnded() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.failCleanUp();
        engine = engine(JobLimits.defaults(), stager);
        Job job = submit(TRUE.toBuilder().transfers(LEAVING).build());
        awaitState(job.id(), JobState.PENDING);
        engine.cancel(job.owner().subject(), job.id());
        Job over = awaitJob(job.id(), found -> found.state().isTerminal());

        assertThat(over.state()).isEqualTo(JobState.CANCELLED);
        Fault fault = requireNonNull(requireNonNull(over.ending()).fault());
        assertThat(fault.code()).isEqualTo(FaultCode.STAGING_FAILED);
        assertThat(fault.sentence()).contains("cancelled by its owner").contains("The file is busy");
        assertThat(fault.remedy()).isEqualTo("Remove it yourself.");
    }

    @Test
    void aCleanUpThatFailsAfterTheJobsOwnEndChangesNothing() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.failCleanUp();
        engine = engine(JobLimits.defaults(), stager);
        Job job = submit(TRUE.toBuilder().transfers(LEAVING).build());
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 3);

        awaitState(job.id(), JobState.DONE);
    }

    @Test
    void aCancelStopsTheStageInAndTheJobIsCleanedUp() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.takeLong();
        engine = engine(JobLimits.defaults(), stager);
        TransferList files = new TransferList(
                List.of(new Transfer("gsiftp://a/in", "file:///in")), List.of(), List.of("file:///in"));
        List<Job> jobs = new java.util.ArrayList<>();
        for (int i = 0; i < 20; i++) { // more than there are workers: none waits for files
            jobs.add(submit(TRUE.toBuilder().transfers(files).build()));
        }
        jobs.forEach(job -> awaitState(job.id(), JobState.STAGE_IN));
        Job job = jobs.getLast();
        engine.cancel(job.owner().subject(), job.id());
        Job over = awaitState(job.id(), JobState.CANCELLED);

        assertThat(fault(over).code()).isEqualTo(FaultCode.CANCELLED_BY_USER);
        assertThat(stager.calls()).containsSubsequence("stop", "cleanUp");
        assertThat(lrm.knows(job.id())).isFalse();
    }

    @Test
    void filesAreStagedInOrderAndAFailureFailsTheJob() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        engine = engine(JobLimits.defaults(), stager);
        TransferList files = new TransferList(
                List.of(new Transfer("gsiftp://a/in", "file:///in")),
                List.of(new Transfer("file:///out", "gsiftp://a/out")),
                List.of("file:///in"));
        Job job = submit(TRUE.toBuilder().transfers(files).build());
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
        assertThat(stager.calls()).containsExactly("stageIn", "stageOut", "cleanUp");
        assertThat(states(job.id()))
                .containsExactly(
                        JobState.UNSUBMITTED,
                        JobState.STAGE_IN,
                        JobState.PENDING,
                        JobState.STAGE_OUT,
                        JobState.CLEAN_UP,
                        JobState.DONE);
        stager.failStageIn();
        Job failing = submit(TRUE.toBuilder().transfers(files).build());
        Job failed = awaitState(failing.id(), JobState.FAILED);
        assertThat(fault(failed).code()).isEqualTo(FaultCode.STAGING_FAILED);
        assertThat(lrm.knows(failing.id())).isFalse();
    }

    private Job failingAfterItsStart(boolean sends) {
        Job job = submit(TRUE.toBuilder()
                .transfers(new TransferList(
                        List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of("file:///x")))
                .extensions(List.of(new Extension("stageOutOnFailure", Map.of(), Boolean.toString(sends), List.of())))
                .build());
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        awaitState(job.id(), JobState.ACTIVE);
        lrm.end(job.id(), new LrmEvent.End(LrmEvent.Cause.NODE_FAILED, null, null, null, null, null));
        return job;
    }

    @Test
    void whatAFailedJobLeftIsSentWhereItAsksForThat() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        engine = engine(JobLimits.defaults(), stager);
        Job job = failingAfterItsStart(true);
        Job over = awaitState(job.id(), JobState.FAILED);
        assertThat(stager.calls()).containsExactly("sendWhatIsThere", "cleanUp");
        // a file that is not there does not change how the job ended
        assertThat(fault(over).code()).isNotEqualTo(FaultCode.STAGING_FAILED);
        assertThat(states(job.id())).containsSubsequence(JobState.STAGE_OUT, JobState.CLEAN_UP, JobState.FAILED);
        awaitState(failingAfterItsStart(false).id(), JobState.FAILED);
        assertThat(stager.calls()).containsExactly("sendWhatIsThere", "cleanUp", "cleanUp");
    }

    private RecordingStager following() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.follow();
        engine = engine(JobLimits.defaults(), stager);
        return stager;
    }

    @Test
    void theFilesOfAJobAreFollowedFromItsStartToItsEnd() {
        RecordingStager stager = following();
        Job job = submit(TRUE.toBuilder()
                .transfers(new TransferList(
                        List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of("file:///x")))
                .build());
        awaitState(job.id(), JobState.PENDING);
        assertThat(stager.calls()).isEmpty();
        lrm.start(job.id());
        await().until(() -> stager.calls().contains("follow"));
        await().until(() -> store.changesOf(job.id()).stream()
                .anyMatch(change -> String.valueOf(change).contains("no more of it is sent, on purpose")));
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
        assertThat(stager.calls()).containsSubsequence("follow", "stageOut", "cleanUp", "unfollow");
    }

    @Test
    void theFilesOfJobsThatRanBeforeARestartAreFollowedAgain() {
        RecordingStager before = following();
        Job job = submit(TRUE.toBuilder()
                .transfers(
                        new TransferList(List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of()))
                .build());
        Job without = submit(TRUE);
        lrm.start(job.id());
        lrm.start(without.id());
        awaitState(job.id(), JobState.ACTIVE);
        awaitState(without.id(), JobState.ACTIVE);
        await().until(() -> before.calls().contains("follow"));

        RecordingStager after = following();
        await().until(() -> after.calls().contains("follow"));
        assertThat(after.calls()).containsExactly("follow");
    }

    /** As of a database that is away for a moment while the service starts. */
    private static JobStore listingFromTheSecondTimeOn(JobStore store) {
        AtomicBoolean isThere = new AtomicBoolean();
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list") && !isThere.getAndSet(true)) {
                        throw new IllegalStateException("it is away");
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void jobsThatCouldNotBeTakenUpAtTheStartAreTakenUpLater() {
        RecordingStager before = following();
        Job job = submit(TRUE.toBuilder()
                .transfers(
                        new TransferList(List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of()))
                .build());
        lrm.start(job.id());
        await().until(() -> before.calls().contains("follow"));

        store = listingFromTheSecondTimeOn(store);
        RecordingStager after = following();
        await().until(() -> after.calls().contains("follow"));
    }

    @Test
    void theOwnerMayStopWhatIsSentOfAFailedJob() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.takeLong();
        engine = engine(JobLimits.defaults(), stager);
        Job job = failingAfterItsStart(true);
        await().until(() -> stager.calls().contains("sendWhatIsThere"));
        engine.cancel(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.FAILED);
        assertThat(stager.calls()).containsExactly("sendWhatIsThere", "stopSending", "cleanUp");
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
        assertThat(ending(awaitState(taken.id(), JobState.DONE)).exitCode()).isEqualTo(5);
    }

    @Test
    void moreJobsThanTheQueueHoldsAllGetTheirTurn() {
        lrm.runByItself();
        List<Submission> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(Submission.of(i % 2 == 0 ? ALICE : BOB, "many-" + i, "Fork", TRUE));
        }
        assertThat(engine.submitAll(many)).allMatch(answer -> answer.submitted() != null);
        await().atMost(Duration.ofSeconds(30)).until(() -> engine.liveJobs() == 0);
    }

    @Test
    void aRepeatedBulkSubmissionIsAnsweredWhenNoNewJobIsTaken() {
        Submission first = Submission.of(ALICE, "bulk-1", "Fork", TRUE);
        Job job = requireNonNull(engine.submitAll(List.of(first)).getFirst().submitted())
                .job();
        engine.drain();

        List<Jobs.BulkAnswer> answers = engine.submitAll(List.of(
                first, Submission.of(ALICE, "bulk-2", "Fork", TRUE), Submission.of(ALICE, "bulk-1", "Fork", OTHER)));

        assertThat(requireNonNull(answers.get(0).submitted()).job().id()).isEqualTo(job.id());
        assertThat(requireNonNull(answers.get(0).submitted()).isNew()).isFalse();
        assertThat(requireNonNull(answers.get(1).fault()).code()).isEqualTo(FaultCode.SHUTTING_DOWN);
        assertThat(requireNonNull(answers.get(2).fault()).code()).isEqualTo(FaultCode.KEY_REUSED);
    }

    @Test
    void theSameIdTwiceInOneBulkSubmissionIsOneJob() {
        List<Jobs.BulkAnswer> answers = engine.submitAll(List.of(
                Submission.of(ALICE, "twice", "Fork", TRUE),
                Submission.of(ALICE, "twice", "Fork", TRUE),
                Submission.of(ALICE, "twice", "Fork", OTHER)));

        Jobs.Submitted made = requireNonNull(answers.get(0).submitted());
        assertThat(made.isNew()).isTrue();
        assertThat(requireNonNull(answers.get(1).submitted()).job().id())
                .isEqualTo(made.job().id());
        assertThat(requireNonNull(answers.get(1).submitted()).isNew()).isFalse();
        assertThat(requireNonNull(answers.get(2).fault()).code()).isEqualTo(FaultCode.KEY_REUSED);
    }

    @Test
    void aListHoldsTheSubjectsOwnJobsOnly() {
        Job mine = submit(TRUE);

        assertThat(engine.list(mine.owner().subject(), JobQuery.all()))
                .extracting(Job::id)
                .containsExactly(mine.id());
        assertThat(engine.list("/O=Other/CN=Bob", JobQuery.all())).isEmpty();
        assertThat(engine.list(mine.owner().subject(), JobQuery.all().ofSubject("/O=Other/CN=Bob")))
                .hasSize(1);
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

    @Test
    void whoWaitsForAChangeIsWokenByIt() {
        Job job = submit(TRUE.toBuilder().holdAt(JobState.PENDING).build());
        Job held = awaitJob(job.id(), Job::holding);
        long begin = System.nanoTime();
        Thread.ofVirtual().start(() -> engine.cancel(ALICE.subject(), job.id()));
        Job changed = engine.awaitChange(ALICE.subject(), job.id(), held.version(), Duration.ofSeconds(20))
                .orElseThrow();
        assertThat(changed.version()).isGreaterThan(held.version());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        assertThat(engine.awaitChange(BOB.subject(), job.id(), 0, Duration.ofSeconds(20)))
                .isEmpty();
    }

    private static void assertFault(Runnable call, FaultCode code) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(code));
    }
}
