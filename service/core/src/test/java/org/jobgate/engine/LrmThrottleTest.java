// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmStatus;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many jobs come into an LRM at once, and which. */
class LrmThrottleTest {

    private static final Owner ALICE = new Owner("/O=Test/CN=Alice", "alice");
    private static final Owner BOB = new Owner("/O=Test/CN=Bob", "bob");
    private static final EngineSettings QUICK = new EngineSettings(
            2,
            2,
            2,
            2,
            2,
            1000,
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofDays(1),
            Duration.ofMillis(200));
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final FakeLrm lrm = new FakeLrm("Slurm");
    private JobStore store;
    private JobEngine engine;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        engine = newEngine();
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    private void start(int maxJobs, int perOwner, int perQueue) {
        lrm.throttle(throttle(maxJobs, perOwner, perQueue));
        startEngine();
    }

    private void startEngine() {
        engine.close();
        engine = newEngine();
        engine.start();
    }

    private JobEngine newEngine() {
        return new JobEngine(
                store,
                List.of(lrm),
                null,
                null,
                JobLimits.defaults(),
                QUICK,
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
    }

    private static LrmThrottle throttle(int maxJobs, int perOwner, int perQueue) {
        return new LrmThrottle(0, 10, maxJobs, perOwner, perQueue, Duration.ofSeconds(5));
    }

    private Job submit(Owner owner, String queue) {
        JobDescription description =
                JobDescription.builder("/bin/true").queue(queue).build();
        return engine.submit(Submission.of(TestStores.ORIGIN, owner, "key-" + System.nanoTime(), "Slurm", description))
                .job();
    }

    private List<Job> submit(Owner owner, int number) {
        return IntStream.range(0, number).mapToObj(i -> submit(owner, "q")).toList();
    }

    private void awaitTaken(int number) {
        await().atMost(PATIENCE).until(() -> lrm.taken() == number);
    }

    private String reason(Owner owner, Job job) {
        Job found = await().atMost(PATIENCE)
                .until(
                        () -> engine.find(owner.subject(), job.id()).orElseThrow(),
                        seen -> seen.pendingReason() != null);
        return requireNonNull(found.pendingReason()).because();
    }

    private List<JobId> taken(List<Job> jobs) {
        return jobs.stream().map(Job::id).filter(lrm::knows).toList();
    }

    @Test
    void jobsBeyondTheLimitWaitInOrderAndSayWhy() {
        start(3, 0, 0);
        List<Job> jobs = submit(ALICE, 6);
        awaitTaken(3);
        assertThat(reason(ALICE, jobs.get(5))).contains("Slurm has 3 jobs", "maxJobs");
        assertThat(taken(jobs))
                .containsExactlyElementsOf(
                        jobs.subList(0, 3).stream().map(Job::id).toList());
        assertThat(engine.find(ALICE.subject(), jobs.get(5).id()).orElseThrow().state())
                .isEqualTo(JobState.UNSUBMITTED);
        for (int i = 0; i < 6; i++) {
            JobId id = jobs.get(i).id();
            await().atMost(PATIENCE).until(() -> lrm.knows(id));
            lrm.start(id);
            lrm.end(id, 0);
        }
        await().atMost(PATIENCE).until(() -> engine.liveJobs() == 0);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(requireNonNull(
                                engine.lrmAdministration().status().getFirst().jobs()))
                        .isZero());
    }

    @Test
    void freePlacesAreSharedOutAmongOwners() {
        start(4, 0, 0);
        List<Job> first = submit(ALICE, 4);
        awaitTaken(4);
        List<Job> alices = submit(ALICE, 20);
        List<Job> bobs = submit(BOB, 2);
        first.forEach(job -> lrm.end(job.id(), 0));
        awaitTaken(8);
        assertThat(taken(bobs)).hasSize(2);
        assertThat(taken(alices)).hasSize(2);
    }

    @Test
    void anOwnersLimitHoldsUpNobodyElse() {
        start(0, 2, 0);
        List<Job> alices = submit(ALICE, 5);
        List<Job> bobs = submit(BOB, 2);
        awaitTaken(4);
        assertThat(taken(alices)).hasSize(2);
        assertThat(taken(bobs)).hasSize(2);
        assertThat(reason(ALICE, alices.get(4))).contains("2 jobs of the same owner", "maxJobsPerOwner");
    }

    @Test
    void aQueuesLimitHoldsUpNoOtherQueue() {
        start(0, 0, 1);
        Job one = submit(ALICE, "long");
        Job two = submit(ALICE, "long");
        Job three = submit(ALICE, "short");
        awaitTaken(2);
        assertThat(taken(List.of(one, two, three))).containsExactly(one.id(), three.id());
        assertThat(reason(ALICE, two)).contains("the queue long", "maxJobsPerQueue");
    }

    @Test
    void aJobThatWaitsForItsTurnCanBeCancelledAtOnce() {
        start(1, 0, 0);
        List<Job> jobs = submit(ALICE, 2);
        awaitTaken(1);
        engine.cancel(ALICE.subject(), jobs.get(1).id());
        await().atMost(PATIENCE)
                .until(() -> store.find(jobs.get(1).id()).orElseThrow().state() == JobState.CANCELLED);
        assertThat(lrm.knows(jobs.get(1).id())).isFalse();
    }

    @Test
    void aRefusedJobGivesItsPlaceBack() {
        start(1, 0, 0);
        lrm.setMood(FakeLrm.Mood.REFUSE);
        List<Job> jobs = submit(ALICE, 3);
        await().atMost(PATIENCE)
                .until(() -> jobs.stream()
                        .allMatch(job -> store.find(job.id()).orElseThrow().state() == JobState.FAILED));
    }

    @Test
    void aJobWhoseSubmissionWasUnclearKeepsItsPlace() {
        start(1, 0, 0);
        lrm.setMood(FakeLrm.Mood.TAKE_AND_LOSE_ANSWER);
        List<Job> jobs = submit(ALICE, 2);
        awaitTaken(1);
        await().atMost(PATIENCE)
                .until(() -> store.find(jobs.get(0).id()).orElseThrow().submitTried());
        assertThat(lrm.knows(jobs.get(1).id())).isFalse();
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        await().atMost(PATIENCE)
                .until(() -> store.find(jobs.get(0).id()).orElseThrow().state() == JobState.PENDING);
        assertThat(lrm.taken()).isEqualTo(1);
    }

    @Test
    void aChangedLimitHoldsAtOnceAndAnUnsetOneCountsNobody() {
        start(0, 0, 0);
        List<Job> jobs = new ArrayList<>(submit(ALICE, 5));
        awaitTaken(5);
        jobs.forEach(job -> await().atMost(PATIENCE)
                .until(() -> store.find(job.id()).orElseThrow().state() == JobState.PENDING));
        assertThat(engine.lrmAdministration().status().getFirst().jobs()).isNull();
        assertThat(engine.lrmAdministration().throttle("Slurm", throttle(6, 0, 0)))
                .isTrue();
        assertThat(engine.lrmAdministration().status().getFirst().jobs()).isEqualTo(5);
        jobs.addAll(submit(ALICE, 3));
        awaitTaken(6);
        assertThat(reason(ALICE, jobs.get(7))).contains("6 jobs");
        engine.lrmAdministration().throttle("Slurm", throttle(0, 0, 0));
        awaitTaken(8);
        assertThat(engine.lrmAdministration().throttle("None", throttle(1, 0, 0)))
                .isFalse();
    }

    @Test
    void afterARestartTheJobsInTheLrmAreCounted() {
        start(2, 0, 0);
        List<Job> jobs = submit(ALICE, 3);
        awaitTaken(2);
        jobs.subList(0, 2)
                .forEach(job -> await().atMost(PATIENCE)
                        .until(() -> store.find(job.id()).orElseThrow().state() == JobState.PENDING));
        engine.close();
        startEngine();
        assertThat(reason(ALICE, jobs.get(2))).contains("2 jobs");
        assertThat(lrm.taken()).isEqualTo(2);
        lrm.end(jobs.getFirst().id(), 0);
        awaitTaken(3);
    }

    @Test
    void anLrmThatIsBusyIsLeftAloneForLongerEachTimeWithinTheBound() {
        start(0, 0, 0);
        lrm.setMood(FakeLrm.Mood.SILENT);
        submit(ALICE, 1);
        LrmStatus.BackOff backOff = await().atMost(PATIENCE)
                .until(
                        () -> engine.lrmAdministration().status().getFirst().backOffs(),
                        seen -> !seen.isEmpty() && seen.getFirst().times() >= 4)
                .getFirst();
        assertThat(backOff.account()).isEqualTo("alice");
        assertThat(backOff.because()).contains("says nothing");
        assertThat(backOff.until()).isAfter(backOff.since());
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        await().atMost(PATIENCE)
                .until(() -> engine.lrmAdministration()
                        .status()
                        .getFirst()
                        .backOffs()
                        .isEmpty());
    }
}
