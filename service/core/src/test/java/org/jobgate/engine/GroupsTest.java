// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.job.ElementState;
import org.jobgate.job.FaultCode;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.JobQuery;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Arrays and sweeps. */
class GroupsTest extends EngineTestBase {

    private static final JobDescription ECHO = JobDescription.of("/bin/echo", "{index}", "{value}");
    private static final LrmEvent.End NODE_FAILED =
            new LrmEvent.End(LrmEvent.Cause.NODE_FAILED, null, null, Duration.ofSeconds(1), null, null);
    private final String alice = ALICE.subject();

    private static GroupTemplate array(int size) {
        return GroupTemplate.ofIndexes(ECHO, new GroupIndexes(0, 1, size));
    }

    private GroupSubmission submission(GroupTemplate template, @Nullable String key, @Nullable Integer maxRunning) {
        return new GroupSubmission(newId(), TestStores.ORIGIN, ALICE, key, "Fork", template, maxRunning, null);
    }

    private JobId submit(GroupTemplate template, @Nullable Integer maxRunning) {
        return engine.groups()
                .submit(submission(template, null, maxRunning))
                .group()
                .id();
    }

    private JobGroup group(JobId id) {
        return engine.groups().find(alice, id).orElseThrow();
    }

    private JobGroup awaitGroup(JobId id, Predicate<JobGroup> condition) {
        return await().atMost(Duration.ofMinutes(1)).until(() -> group(id), condition);
    }

    private JobGroup awaitCount(JobId id, ElementState state, long count) {
        return awaitGroup(id, group -> group.counts().of(state) == count);
    }

    private List<GroupElement> elements(JobId id) {
        return engine.groups().elements(alice, id, 0, 10_000).orElseThrow();
    }

    private JobId job(JobId group, int index) {
        return Objects.requireNonNull(engine.groups()
                .elements(alice, group, index, 1)
                .orElseThrow()
                .getFirst()
                .job());
    }

    /** What the counts say is what the elements and their jobs say. */
    private void assertCounted(JobId id) {
        assertThat(group(id).counts().byState())
                .isEqualTo(elements(id).stream()
                        .collect(Collectors.groupingBy(GroupElement::state, Collectors.counting())));
        for (GroupElement element : elements(id)) {
            if (element.job() != null) {
                assertThat(ElementState.of(store.find(element.job()).orElseThrow()))
                        .isEqualTo(element.state());
            }
        }
    }

    private void reopen(JobLimits limits) {
        engine.close();
        store.close();
        store = TestStores.sqlite(directory);
        engine = engine(limits, null);
    }

    @Test
    void everyElementRunsOnceWithItsIndexAndValue() {
        lrm.runByItself();
        List<String> values = IntStream.range(0, 700).mapToObj(i -> "v" + i).toList();
        JobId id = submit(GroupTemplate.ofValues(ECHO, values), null);
        JobGroup done = awaitCount(id, ElementState.DONE, 700);
        assertThat(done.isOver()).isTrue();
        assertThat(done.ended()).isNotNull();
        assertCounted(id);
        assertThat(lrm.taken()).isEqualTo(700);
        for (GroupElement element : elements(id)) {
            JobId job = Objects.requireNonNull(element.job());
            assertThat(lrm.starts(job)).isEqualTo(1);
            assertThat(lrm.descriptionOf(job).arguments()).containsExactly("" + element.index(), "v" + element.index());
        }
    }

    @Test
    void noMoreThanAskedForRunAtOnceAndTheNextFollowsWhenOneIsOver() {
        JobId id = submit(array(10), 3);
        awaitCount(id, ElementState.PENDING, 3);
        await().during(Duration.ofMillis(300)).until(() -> lrm.taken() == 3);
        assertThat(group(id).counts().of(ElementState.WAITING)).isEqualTo(7);
        assertCounted(id);
        lrm.start(job(id, 0));
        lrm.end(job(id, 0), 0);
        await().until(() -> lrm.taken() == 4);
        assertThat(group(id).counts().live()).isEqualTo(3);
        engine.groups().setMaxRunning(alice, id, 5);
        await().until(() -> lrm.taken() == 6);
        assertCounted(awaitGroup(id, group -> group.counts().of(ElementState.PENDING) == 5)
                .id());
    }

    @Test
    void aPartIsCancelledAndTheRestGoesOn() {
        JobId id = submit(array(20), 5);
        awaitCount(id, ElementState.PENDING, 5);
        engine.groups().cancel(alice, id, new IndexRange(3, 12));
        awaitCount(id, ElementState.CANCELLED, 10);
        assertThat(elements(id).stream()
                        .filter(element -> element.state() == ElementState.CANCELLED)
                        .map(GroupElement::index))
                .containsExactlyElementsOf(IntStream.rangeClosed(3, 12).boxed().toList());
        awaitCount(id, ElementState.PENDING, 5);
        assertThat(job(id, 13)).isNotNull();
        assertCounted(id);
        engine.groups().cancel(alice, id, null);
        JobGroup over = awaitCount(id, ElementState.CANCELLED, 20);
        assertThat(over.isOver()).isTrue();
        assertCounted(id);
    }

    @Test
    void whatFailedIsTriedAgainUnderANewTagAndLateRecordsChangeNothing() {
        JobId id = submit(array(3), null);
        awaitCount(id, ElementState.PENDING, 3);
        JobId first = job(id, 1);
        lrm.start(first);
        lrm.end(first, NODE_FAILED);
        lrm.end(job(id, 2), 9);
        lrm.end(job(id, 0), 0);
        JobGroup failed = awaitCount(id, ElementState.FAILED, 2);
        assertThat(failed.isOver()).isTrue();
        reopen(JobLimits.defaults());
        engine.groups().retryFailed(alice, id, new IndexRange(1, 1));
        awaitCount(id, ElementState.PENDING, 1);
        JobId second = job(id, 1);
        assertThat(second).isNotEqualTo(first);
        assertThat(group(id).ended()).isNull();
        JobGroup before = group(id);
        lrm.start(first);
        lrm.end(first, 0);
        assertThat(group(id)).isEqualTo(before);
        lrm.end(second, 0);
        awaitCount(id, ElementState.DONE, 2);
        assertThat(engine.groups().attempts(alice, id, 1).orElseThrow())
                .extracting(Job::id, Job::state)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(first, JobState.FAILED),
                        org.assertj.core.groups.Tuple.tuple(second, JobState.DONE));
        assertCounted(id);
        assertFault(() -> engine.restart(alice, first), FaultCode.UNSUPPORTED_FEATURE);
    }

    @Test
    void theServiceGoesOnAfterItsEndWhereverItWas() {
        JobId id = submit(array(400), 100);
        await().until(() -> lrm.taken() > 10);
        reopen(JobLimits.defaults());
        awaitCount(id, ElementState.PENDING, 100);
        reopen(JobLimits.defaults());
        lrm.runByItself();
        elements(id).stream().map(GroupElement::job).filter(Objects::nonNull).forEach(job -> lrm.end(job, 0));
        awaitCount(id, ElementState.DONE, 400);
        assertCounted(id);
        Set<JobId> jobs = new HashSet<>();
        elements(id).forEach(element -> jobs.add(element.job()));
        assertThat(jobs).hasSize(400).allMatch(job -> lrm.starts(job) == 1);
    }

    @Test
    void theSameSubmissionIsOneGroup() {
        GroupSubmission first = submission(array(5), "mine", 2);
        GroupSubmission again = submission(array(5), "mine", 2);
        JobId id = engine.groups().submit(first).group().id();
        assertThat(engine.groups().submit(again).isNew()).isFalse();
        assertThat(engine.groups().submit(again).group().id()).isEqualTo(id);
        assertFault(() -> engine.groups().submit(submission(array(6), "mine", 2)), FaultCode.KEY_REUSED);
        assertThat(engine.groups().list(alice, null, 10)).hasSize(1);
        String door = first.origin().door();
        assertThat(engine.groups()
                        .findByClientId(alice, door, "mine")
                        .orElseThrow()
                        .id())
                .isEqualTo(id);
        assertThat(engine.groups().findByClientId(alice, door, "other")).isEmpty();
        assertThat(engine.groups().findByClientId(alice, "elsewhere", "mine")).isEmpty();
        assertThat(engine.groups().findByClientId(BOB.subject(), door, "mine")).isEmpty();
        assertThat(engine.groups().live(alice)).isEqualTo(1);
        engine.groups().destroy(alice, id);
        await().until(() -> engine.groups().live(alice) == 0);
        assertThat(engine.groups().findByClientId(alice, door, "mine")).isEmpty();
    }

    @Test
    void aRepeatedSubmissionIsAnsweredWhileNewGroupsAreRefused() {
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        reopen(JobLimits.defaults().with(new Limit("limits.maxGroupsPerOwner", 1)));
        JobId id = engine.groups()
                .submit(submission(array(3), "mine", null))
                .group()
                .id();

        assertThat(engine.groups()
                        .submit(submission(array(3), "mine", null))
                        .group()
                        .id())
                .isEqualTo(id);
        engine.heed(() -> Optional.of("the load is 50."));
        assertThat(engine.groups()
                        .submit(submission(array(3), "mine", null))
                        .group()
                        .id())
                .isEqualTo(id);
        assertFault(() -> engine.groups().submit(submission(array(4), "mine", null)), FaultCode.KEY_REUSED);
        assertFault(() -> engine.groups().submit(submission(array(3), "other", null)), FaultCode.SHUTTING_DOWN);
    }

    @Test
    void limitsRefuseByNameAndLiveJobsLetElementsWait() {
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        reopen(JobLimits.defaults()
                .with(
                        new Limit("limits.maxGroupElements", 50),
                        new Limit("limits.maxGroupBytes", 100),
                        new Limit("limits.maxGroupsPerOwner", 1),
                        new Limit("limits.maxGroupRunning", 30),
                        new Limit("limits.maxLiveJobsPerOwner", 4)));
        for (Runnable call : List.<Runnable>of(
                () -> submit(array(51), null),
                () -> submit(array(5), 31),
                () -> submit(GroupTemplate.ofValues(ECHO, List.of("x".repeat(101))), null))) {
            assertFault(call, FaultCode.LIMIT_EXCEEDED);
        }
        JobId id = submit(array(10), null);
        awaitCount(id, ElementState.PENDING, 4);
        await().during(Duration.ofMillis(300)).until(() -> lrm.taken() == 4);
        assertFault(() -> submit(array(1), null), FaultCode.LIMIT_EXCEEDED);
        lrm.end(job(id, 0), 0);
        await().until(() -> lrm.taken() == 5);
    }

    @Test
    void aGroupIsItsOwnersAloneAndGoneWithItsJobsWhenItIsDestroyed() {
        JobId id = submit(array(4), 2);
        awaitCount(id, ElementState.PENDING, 2);
        String bob = BOB.subject();
        assertThat(engine.groups().find(bob, id)).isEmpty();
        assertThat(engine.groups().cancel(bob, id, null)).isEmpty();
        assertThat(engine.groups().destroy(bob, id)).isEmpty();
        assertThat(engine.groups().retryFailed(bob, id, null)).isEmpty();
        assertThat(engine.groups().elements(bob, id, 0, 10)).isEmpty();
        assertThat(group(id).counts().of(ElementState.CANCELLED)).isZero();
        engine.groups().destroy(alice, id);
        await().until(() -> engine.groups().find(alice, id).isEmpty());
        assertThat(engine.groups().list(alice, null, 10)).isEmpty();
        assertThat(engine.list(alice, JobQuery.all())).isEmpty();
        assertThat(store.groups().countLive(alice)).isZero();
        assertThat(store.groups()
                        .purge(java.time.Instant.now().plusSeconds(5), 10)
                        .join())
                .isEqualTo(1);
        assertThat(store.groups().find(id)).isEmpty();
    }

    @Test
    void anElementThatCannotBecomeAJobHasFailedAndSaysWhy() {
        reopen(JobLimits.defaults().with(new Limit("limits.maxTextBytes", 100)));
        // the values are as long in characters, but not in bytes
        JobId id = submit(GroupTemplate.ofValues(ECHO, List.of("a".repeat(60), "ü".repeat(60), "b".repeat(60))), null);
        awaitCount(id, ElementState.PENDING, 2);
        GroupElement failed = elements(id).get(1);
        assertThat(failed.state()).isEqualTo(ElementState.FAILED);
        assertThat(failed.job()).isNull();
        assertThat(Objects.requireNonNull(failed.fault()).code()).isEqualTo(FaultCode.LIMIT_EXCEEDED);
    }

    @Test
    void whoWaitsForAGroupHearsOfItsElementsAndOfOrders() {
        JobId id = submit(array(4), 1);
        JobGroup begun = awaitCount(id, ElementState.PENDING, 1);
        var waits = java.util.concurrent.CompletableFuture.supplyAsync(
                () -> engine.groups().awaitChange(alice, id, begun.version(), Duration.ofSeconds(20)));
        await().during(Duration.ofMillis(200)).until(() -> !waits.isDone());
        lrm.start(job(id, 0));
        JobGroup running = waits.join().orElseThrow();
        assertThat(running.counts().of(ElementState.ACTIVE)).isEqualTo(1);
        var waitsAgain = java.util.concurrent.CompletableFuture.supplyAsync(
                () -> engine.groups().awaitChange(alice, id, running.version(), Duration.ofSeconds(20)));
        await().during(Duration.ofMillis(200)).until(() -> !waitsAgain.isDone());
        engine.groups().cancel(alice, id, new IndexRange(2, 3));
        assertThat(waitsAgain.join().orElseThrow().counts().of(ElementState.CANCELLED))
                .isEqualTo(2);
        assertThat(engine.groups().awaitChange(BOB.subject(), id, 0, Duration.ofSeconds(20)))
                .isEmpty();
    }

    @Test
    void elementsOfAnLrmThatIsNotConfiguredAnyMoreWaitUntilItIs() {
        JobId id = submit(array(6), 2);
        awaitCount(id, ElementState.PENDING, 2);
        FakeLrm fork = lrm;
        lrm = new FakeLrm("Other");
        reopen(JobLimits.defaults());
        engine.groups().setMaxRunning(alice, id, 6);
        await().during(Duration.ofMillis(500)).until(() -> group(id).counts().of(ElementState.WAITING) == 4);
        lrm = fork;
        reopen(JobLimits.defaults());
        awaitCount(id, ElementState.PENDING, 6);
    }

    @Test
    void noClientTakesTheKeyOfAnElement() {
        String key = "group/" + newId() + "/0/1";
        assertFault(
                () -> engine.submit(Submission.of(TestStores.ORIGIN, ALICE, key, "Fork", TRUE)),
                FaultCode.INVALID_DESCRIPTION);
        assertFault(() -> engine.groups().submit(submission(array(1), key, null)), FaultCode.INVALID_DESCRIPTION);
    }
}
