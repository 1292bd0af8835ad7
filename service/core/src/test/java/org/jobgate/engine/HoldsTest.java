// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SuspendResult;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that wait are held on their owner's word, before their LRM has them and in it. */
class HoldsTest extends EngineTestBase {

    private static final String SUBJECT = ALICE.subject();

    @BeforeEach
    void canHold() {
        lrm.suspendsIn(JobState.PENDING, JobState.ACTIVE);
    }

    private JobId waitingInLrm() {
        JobId id = submit(TRUE).id();
        awaitJob(id, job -> !job.localIds().isEmpty());
        return id;
    }

    private static void assertRefused(FaultCode code, Runnable call, String... words) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(FaultException.class, e -> {
            assertThat(e.fault().code()).isEqualTo(code);
            assertThat(e.fault().sentence()).contains(words);
        });
    }

    @Test
    void aJobThatItsLrmDoesNotHaveIsNotGivenToItBeforeItsRelease() {
        lrm.setMood(FakeLrm.Mood.REFUSE);
        JobId id = submit(TRUE.toBuilder().holdAt(JobState.STAGE_IN).build()).id();
        awaitJob(id, Job::holding);
        engine.hold(SUBJECT, id, JobState.PENDING);
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        assertThat(store.find(id).orElseThrow().holdAt()).isEqualTo(JobState.PENDING);
        engine.stop(Duration.ZERO);
        engine = engine(JobLimits.defaults(), null);

        assertThat(lrm.knows(id)).isFalse();
        engine.release(SUBJECT, id);

        awaitJob(id, job -> !job.localIds().isEmpty());
        assertThat(lrm.wishes()).isEmpty();
    }

    @Test
    void aJobWhoseSubmissionIsUnclearIsHeldInTheLrmOnceItIsThere() {
        lrm.setMood(FakeLrm.Mood.SILENT);
        JobId id = submit(TRUE).id();
        awaitJob(id, Job::submitTried);

        engine.hold(SUBJECT, id, null);
        lrm.setMood(FakeLrm.Mood.ACCEPT);

        Job held = awaitJob(id, Job::holding);
        assertThat(held.state()).isIn(JobState.PENDING, JobState.SUSPENDED);
        assertThat(lrm.starts(id)).isLessThanOrEqualTo(1);
        engine.release(SUBJECT, id);
        awaitJob(id, job -> !job.holding() && !job.localIds().isEmpty());
    }

    @Test
    void aJobThatMayBeInItsLrmIsLookedForThereAndHeldThere() {
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        JobId id = submit(TRUE).id();
        awaitJob(id, Job::submitTried);
        lrm.beSilentOnLookup(true);
        engine.hold(SUBJECT, id, null);
        awaitJob(
                id,
                job -> engine.find(SUBJECT, id)
                        .map(found -> String.valueOf(found.pendingReason()).contains("Fork has the job already"))
                        .orElse(false));
        assertThat(store.find(id).orElseThrow().holding()).isFalse();
        assertThat(lrm.wishes()).isEmpty();

        lrm.beSilentOnLookup(false);
        lrm.setMood(FakeLrm.Mood.ACCEPT);

        awaitJob(id, job -> job.holding() && job.state() == JobState.SUSPENDED);
        assertThat(lrm.wishes()).containsExactly("hold " + id);
        engine.release(SUBJECT, id);
        awaitState(id, JobState.ACTIVE);
        assertThat(lrm.starts(id)).isEqualTo(1);
    }

    @Test
    void aHeldJobThatComesToItsLrmAfterItWasLookedForIsHeldThere() {
        lrm.setMood(FakeLrm.Mood.SILENT);
        JobId id = submit(TRUE).id();
        awaitJob(id, Job::submitTried);
        engine.hold(SUBJECT, id, null);
        awaitJob(id, Job::holding);
        assertThat(lrm.wishes()).isEmpty();

        lrm.tell(id, LrmEvent.Kind.QUEUED);

        awaitJob(id, job -> job.holding() && job.state() == JobState.SUSPENDED);
        assertThat(lrm.wishes()).containsExactly("hold " + id);
        engine.release(SUBJECT, id);
        awaitState(id, JobState.ACTIVE);
        assertThat(lrm.starts(id)).isZero();
    }

    @Test
    void aSubJobIsHeldOnItsOwn() {
        JobDescription multi = JobDescription.multi(
                List.of(new SubJob("Fork", "alice", TRUE), new SubJob("Fork", "alice", TRUE)), null);
        JobId ofMulti = engine.submit(Submission.of(
                        TestStores.ORIGIN, new Owner(SUBJECT, "alice"), "multi", JobsBySubject.MULTI, multi))
                .job()
                .id();
        List<JobId> subs = awaitJob(ofMulti, job -> job.localIds().size() == 2).localIds().stream()
                .map(JobId::parse)
                .toList();
        subs.forEach(sub -> awaitJob(sub, job -> !job.localIds().isEmpty()));

        engine.hold(SUBJECT, subs.getFirst(), null);
        awaitJob(subs.getFirst(), job -> job.holding() && job.state() == JobState.SUSPENDED);
        lrm.start(subs.getLast());
        lrm.end(subs.getLast(), 0);
        awaitState(subs.getLast(), JobState.DONE);

        await().during(Duration.ofMillis(300))
                .until(() -> lrm.wishes().equals(List.of("hold " + subs.getFirst()))
                        && store.find(subs.getFirst()).orElseThrow().holding());
    }

    @Test
    void aJobThatWaitsInItsLrmIsHeldThereAndReleased() {
        JobId id = waitingInLrm();

        assertThat(engine.hold(SUBJECT, id, null)).isPresent();

        Job held = awaitJob(id, job -> job.holding() && job.state() == JobState.SUSPENDED);
        assertThat(held.suspendWish()).isNull();
        assertThat(engine.hold(SUBJECT, id, null).map(Job::version)).contains(held.version());
        engine.suspend(SUBJECT, id);
        assertThat(engine.release(SUBJECT, id).map(Job::holding)).contains(false);
        awaitState(id, JobState.ACTIVE);
        assertThat(lrm.wishes()).containsExactly("hold " + id, "resume " + id);
        assertThat(store.changesOf(id))
                .anySatisfy(change -> assertThat(change.note()).isEqualTo("held in its LRM, as its owner asked"));
        lrm.end(id, 0);
        awaitState(id, JobState.DONE);
    }

    @Test
    void aHeldJobThatTheLrmLetsGoIsHeldNoMore() {
        JobId id = waitingInLrm();
        engine.hold(SUBJECT, id, null);
        awaitJob(id, job -> job.holding() && job.state() == JobState.SUSPENDED);

        lrm.tell(id, LrmEvent.Kind.REQUEUED);

        Job job = awaitState(id, JobState.PENDING);
        assertThat(job.holding()).isFalse();
    }

    @Test
    void aHeldJobIsCancelledInItsLrm() {
        JobId id = waitingInLrm();
        engine.hold(SUBJECT, id, null);
        awaitJob(id, job -> job.holding() && job.state() == JobState.SUSPENDED);

        engine.cancel(SUBJECT, id);

        assertThat(awaitState(id, JobState.CANCELLED).holding()).isFalse();
    }

    @Test
    void aJobThatRunsOrIsOverIsRefusedAndGoesOn() {
        JobId id = waitingInLrm();
        lrm.start(id);
        awaitState(id, JobState.ACTIVE);
        assertRefused(FaultCode.WRONG_STATE, () -> engine.hold(SUBJECT, id, null), "state active", "does not wait");
        assertRefused(FaultCode.WRONG_STATE, () -> engine.hold(SUBJECT, id, JobState.STAGE_IN), "before stage in");
        lrm.end(id, 0);
        awaitState(id, JobState.DONE);
        assertRefused(FaultCode.WRONG_STATE, () -> engine.hold(SUBJECT, id, null), "state done");
        assertRefused(FaultCode.WRONG_STATE, () -> engine.hold(SUBJECT, id, JobState.CLEAN_UP), "before clean up");
        assertThat(lrm.wishes()).isEmpty();
    }

    @Test
    void aJobThatBeganBeforeTheLrmWasAskedGoesOnAndItsOwnerIsToldWhy() {
        JobId id = waitingInLrm();
        lrm.answerWishes(new SuspendResult.Refused(
                Fault.of(FaultCode.WRONG_STATE, "The job runs already.", "Suspend the job instead.")));

        engine.hold(SUBJECT, id, null);

        Job job = awaitJob(id, now -> now.suspendWish() == null);
        assertThat(job.holding()).isFalse();
        assertThat(String.valueOf(job.pendingReason())).contains("its LRM did not hold it: The job runs already.");
    }

    @Test
    void aJobThatRunsIsHeldBeforeItsOutputIsSent() {
        JobId id = waitingInLrm();
        lrm.start(id);
        awaitState(id, JobState.ACTIVE);

        engine.hold(SUBJECT, id, JobState.STAGE_OUT);
        lrm.end(id, 0);

        Job held = awaitJob(id, Job::holding);
        assertThat(held.state()).isEqualTo(JobState.STAGE_OUT);
        engine.release(SUBJECT, id);
        awaitState(id, JobState.DONE);
    }

    @Test
    void anLrmThatCannotAndAMultiJobAreRefusedByName() {
        JobId id = waitingInLrm();
        lrm.suspendsIn();
        assertRefused(FaultCode.UNSUPPORTED_FEATURE, () -> engine.hold(SUBJECT, id, null), "The LRM Fork", "hold");
        JobDescription multi = JobDescription.multi(List.of(new SubJob("Fork", "alice", TRUE)), null);
        JobId ofMulti = engine.submit(Submission.of(
                        TestStores.ORIGIN, new Owner(SUBJECT, "alice"), "multi", JobsBySubject.MULTI, multi))
                .job()
                .id();
        assertRefused(FaultCode.UNSUPPORTED_FEATURE, () -> engine.hold(SUBJECT, ofMulti, null), "multi-job");
        assertThat(engine.hold(BOB.subject(), id, null)).isEmpty();
        assertThat(lrm.wishes()).isEmpty();
    }

    private JobId group(int size, int maxRunning) {
        GroupTemplate template =
                GroupTemplate.ofIndexes(JobDescription.of("/bin/echo", "{index}"), new GroupIndexes(0, 1, size));
        return engine.groups()
                .submit(new GroupSubmission(
                        newId(), TestStores.ORIGIN, ALICE, null, "Fork", template, maxRunning, null))
                .group()
                .id();
    }

    private List<GroupElement> elements(JobId id) {
        return engine.groups().elements(SUBJECT, id, 0, 100).orElseThrow();
    }

    private JobId firstJob(JobId id) {
        return requireNonNull(elements(id).getFirst().job());
    }

    private long count(JobId id, ElementState state) {
        return engine.groups().find(SUBJECT, id).orElseThrow().counts().of(state);
    }

    @Test
    void aPartOfAGroupIsHeldAndReleasedWhetherItsElementsHaveJobsOrNot() {
        JobId id = group(10, 4);
        await().until(() -> count(id, ElementState.PENDING) == 4);
        JobId running = firstJob(id);
        lrm.start(running);
        await().until(() -> count(id, ElementState.ACTIVE) == 1);

        engine.groups().hold(SUBJECT, id, new IndexRange(0, 6));

        await().until(() -> count(id, ElementState.SUSPENDED) == 3);
        assertThat(count(id, ElementState.HELD)).isEqualTo(3);
        assertThat(count(id, ElementState.WAITING)).isEqualTo(3);
        assertThat(elements(id).get(5).state()).isEqualTo(ElementState.HELD);
        lrm.end(running, 0);
        await().until(() -> elements(id).get(7).state() == ElementState.PENDING);
        assertThat(elements(id).get(4).state()).isEqualTo(ElementState.HELD);

        engine.groups().release(SUBJECT, id, null);

        await().until(() -> count(id, ElementState.SUSPENDED) == 0 && count(id, ElementState.HELD) == 0);
        assertThat(elements(id).get(4).state()).isEqualTo(ElementState.WAITING);
    }

    @Test
    void aGroupIsSuspendedAndResumedAndOneThatIsHeldIsCancelled() {
        JobId id = group(6, 2);
        await().until(() -> count(id, ElementState.PENDING) == 2);
        lrm.start(firstJob(id));
        await().until(() -> count(id, ElementState.ACTIVE) == 1);

        engine.groups().suspend(SUBJECT, id, null);
        await().until(() -> count(id, ElementState.SUSPENDED) == 2 && count(id, ElementState.HELD) == 4);
        engine.groups().resume(SUBJECT, id, null);
        await().until(() -> count(id, ElementState.SUSPENDED) == 0 && count(id, ElementState.WAITING) == 4);
        engine.groups().hold(SUBJECT, id, null);
        engine.groups().cancel(SUBJECT, id, null);

        await().until(() -> count(id, ElementState.CANCELLED) == 6);
        assertThat(engine.groups().find(SUBJECT, id).orElseThrow().isOver()).isTrue();
    }

    @Test
    void aGroupInAnLrmThatSuspendsNothingIsRefusedByName() {
        JobId id = group(3, 1);
        lrm.suspendsIn();
        assertRefused(
                FaultCode.UNSUPPORTED_FEATURE,
                () -> engine.groups().suspend(SUBJECT, id, null),
                "The LRM Fork cannot suspend jobs.");
        assertThat(count(id, ElementState.HELD)).isZero();
    }
}
