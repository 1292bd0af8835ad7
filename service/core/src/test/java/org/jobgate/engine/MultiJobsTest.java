// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.Step;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Multi-jobs through the whole engine: facts/gram4.md section 3.8. */
class MultiJobsTest extends EngineTestBase {

    private final FakeLrm other = new FakeLrm("Slurm");

    @Override
    List<Lrm> lrms() {
        return List.of(lrm, other);
    }

    private static JobDescription two(@Nullable JobState holdAt) {
        JobDescription part = TRUE.toBuilder().holdAt(holdAt).build();
        return JobDescription.multi(
                List.of(new SubJob("Fork", "alice", part), new SubJob("Slurm", "shared", part)), holdAt);
    }

    @Test
    void eachSubJobLearnsWhereItsMultiJobIsAndAnotherJobDoesNot() {
        engine.close();
        engine = new JobEngine(
                store,
                lrms(),
                null,
                null,
                JobLimits.defaults(),
                QUICK,
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.provide((job, multiJob, description) -> multiJob == null
                ? Map.of("JOB", job.id().toString())
                : Map.of("JOB", job.id().toString(), "MULTI", multiJob.toString()));
        engine.start();
        JobDescription part = TRUE.toBuilder()
                .environment(List.of(new EnvironmentVariable("JOB", "forged"), new EnvironmentVariable("X", "kept")))
                .build();
        Job multi = submit(JobDescription.multi(List.of(new SubJob("Fork", "alice", part)), null));
        JobId sub = subJobs(multi.id()).getFirst();
        assertThat(store.find(sub).orElseThrow().origin()).isEqualTo(multi.origin());
        Job single = engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "single", "Fork", TRUE))
                .job();

        assertThat(environment(sub))
                .containsExactlyInAnyOrder(
                        new EnvironmentVariable("X", "kept"),
                        new EnvironmentVariable("JOB", sub.toString()),
                        new EnvironmentVariable("MULTI", multi.id().toString()));
        assertThat(environment(single.id()))
                .containsExactly(new EnvironmentVariable("JOB", single.id().toString()));
    }

    private List<EnvironmentVariable> environment(JobId id) {
        await().atMost(Duration.ofSeconds(60)).until(() -> lrm.knows(id));
        return lrm.descriptionOf(id).environment();
    }

    @Test
    void moreSubJobsThanTheLimitAreRefusedWithItsName() {
        engine.close();
        engine = engine(JobLimits.defaults().with(new Limit("limits.maxSubJobs", 1)), null);

        assertThatThrownBy(() -> submit(two(null)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("limits.maxSubJobs = 1");
    }

    @Override
    Job submit(JobDescription description) {
        return engine.submit(Submission.of(
                        TestStores.ORIGIN, ALICE, "key-" + System.nanoTime(), JobsBySubject.MULTI, description))
                .job();
    }

    /** The sub jobs, when there are any. */
    private List<JobId> subJobs(JobId multi) {
        return awaitJob(multi, job -> !job.localIds().isEmpty()).localIds().stream()
                .map(JobId::parse)
                .toList();
    }

    @Test
    void itIsWhereAllItsSubJobsAre() {
        JobId multi = submit(two(null)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);
        lrm.start(subs.get(0));
        awaitState(subs.get(0), JobState.ACTIVE);
        other.start(subs.get(1));
        awaitState(multi, JobState.ACTIVE);
        lrm.end(subs.get(0), 0);
        awaitState(subs.get(0), JobState.DONE);
        assertThat(awaitState(multi, JobState.ACTIVE).localIds()).hasSize(2);
        other.end(subs.get(1), 4);

        assertThat(outcome(awaitState(multi, JobState.DONE)).exitCode()).isEqualTo(4);
        assertThat(states(multi))
                .containsExactly(
                        JobState.UNSUBMITTED, JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE);
        assertThat(store.find(subs.get(1)).orElseThrow().owner().account()).isEqualTo("shared");
        awaitLive(0);
    }

    @Test
    void oneThatFailsEndsTheOthersAndFailsTheMultiJob() {
        JobId multi = submit(two(null)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);

        lrm.end(subs.get(0), new LrmEvent.End(LrmEvent.Cause.MEMORY, null, null, null, null, null));

        Job failed = awaitState(multi, JobState.FAILED);
        assertThat(fault(failed).code()).isEqualTo(FaultCode.MEMORY_EXCEEDED);
        assertThat(fault(failed).sentence()).contains("Sub job 0 of the multi-job, " + subs.get(0), "memory");
        assertThat(awaitState(subs.get(1), JobState.CANCELLED).outcome()).isNotNull();
    }

    @Test
    void aRefusedSubJobFailsItToo() {
        other.setMood(FakeLrm.Mood.REFUSE);
        JobId multi = submit(two(null)).id();

        awaitState(multi, JobState.FAILED);
        awaitState(subJobs(multi).get(0), JobState.CANCELLED);
    }

    @Test
    void itIsHeldWhenAllAreAndItsReleaseReleasesAll() {
        JobId multi = submit(two(JobState.CLEAN_UP)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);
        lrm.end(subs.get(0), 0);
        awaitJob(subs.get(0), Job::holding);
        assertThat(store.find(multi).orElseThrow().holding()).isFalse();
        other.end(subs.get(1), 0);
        awaitJob(multi, job -> job.holding() && job.state() == JobState.CLEAN_UP);

        engine.release(ALICE.subject(), multi);

        awaitState(multi, JobState.DONE);
        awaitState(subs.get(0), JobState.DONE);
    }

    @Test
    void itsReleaseBeforeTheHoldTakesTheHoldBack() {
        JobId multi = submit(two(JobState.PENDING)).id();
        awaitJob(multi, job -> job.holding() && job.state() == JobState.PENDING);
        assertThat(subJobs(multi)).allMatch(sub -> !lrm.knows(sub) && !other.knows(sub));

        engine.release(ALICE.subject(), multi);

        await().until(() ->
                lrm.knows(subJobs(multi).get(0)) && other.knows(subJobs(multi).get(1)));
        assertThat(store.find(multi).orElseThrow().holding()).isFalse();
    }

    @Test
    void destroyEndsAndForgetsAll() {
        JobId multi = submit(two(JobState.CLEAN_UP)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);

        engine.destroy(ALICE.subject(), multi);

        assertThat(awaitState(multi, JobState.CANCELLED).isGone()).isTrue();
        subs.forEach(sub -> assertThat(awaitJob(sub, Job::isGone).state()).isEqualTo(JobState.CANCELLED));
        assertThat(fault(store.find(subs.get(0)).orElseThrow()).code()).isEqualTo(FaultCode.CANCELLED_BY_USER);
    }

    @Test
    void destroyingAHeldOneLetsItGo() {
        JobId multi = submit(two(JobState.CLEAN_UP)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);
        lrm.end(subs.get(0), 0);
        other.end(subs.get(1), 0);
        awaitJob(multi, Job::holding);

        engine.destroy(ALICE.subject(), multi);

        awaitJob(multi, Job::isGone);
        subs.forEach(sub -> awaitJob(sub, Job::isGone));
    }

    @Test
    void aRepeatedSubmissionAndARestartStartNothingTwice() {
        Submission submission = Submission.of(TestStores.ORIGIN, ALICE, "one", JobsBySubject.MULTI, two(null));
        JobId multi = engine.submit(submission).job().id();
        List<JobId> subs = subJobs(multi);
        assertThat(engine.submit(submission).isNew()).isFalse();
        engine.close();
        lrm.start(subs.get(0));

        engine = engine(JobLimits.defaults(), null);
        assertThat(engine.submit(submission).job().id()).isEqualTo(multi);
        lrm.replay();
        other.start(subs.get(1));

        awaitState(multi, JobState.ACTIVE);
        assertThat(subJobs(multi)).isEqualTo(subs);
        assertThat(lrm.starts(subs.get(0))).isEqualTo(1);
        assertThat(other.starts(subs.get(1))).isEqualTo(1);
        awaitLive(3);
    }

    @Test
    void subJobsThatChangedUnseenAreSeenAtTheNextStart() {
        JobId multi = submit(two(null)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);
        engine.close();
        subs.forEach(sub -> store.update(
                        sub, job -> List.of(Step.of(JobEvent.LRM_STARTED, job.withState(JobState.ACTIVE))))
                .join());

        engine = engine(JobLimits.defaults(), null);

        awaitState(multi, JobState.ACTIVE);
    }

    @Test
    void aCrashBeforeTheIdsWereStoredCreatesNothingTwice() {
        JobId multi = submit(two(null)).id();
        List<JobId> subs = subJobs(multi);
        awaitState(multi, JobState.PENDING);
        engine.close();
        store.update(
                        multi,
                        job -> List.of(Step.silent(job.withLocalIds(List.of()).withState(JobState.UNSUBMITTED))))
                .join();

        engine = engine(JobLimits.defaults(), null);

        assertThat(subJobs(multi)).isEqualTo(subs);
        assertThat(engine.liveJobs()).isEqualTo(3);
    }

    @Test
    void aMultiJobAtRestCostsNoPasses() {
        JobId multi = submit(two(null)).id();
        awaitState(multi, JobState.PENDING);
        WorkQueue pool = requireNonNull(engine.pools().get("multi"));
        await().pollDelay(Duration.ofMillis(300)).until(() -> pool.figures().queued() == 0);
        long before = pool.figures().batches();
        long begin = System.nanoTime();

        await().pollDelay(Duration.ofMillis(500)).until(() -> true);

        long passes = pool.figures().batches() - before;
        Duration rested = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(passes).isLessThan(1 + rested.dividedBy(Duration.ofMillis(50)));
    }

    @Test
    void whatCannotRunIsRefusedAtOnce() {
        JobDescription nowhere = JobDescription.multi(List.of(new SubJob("Nowhere", "alice", TRUE)), null);
        JobDescription differing = JobDescription.multi(
                List.of(
                        new SubJob("Fork", "alice", TRUE),
                        new SubJob(
                                "Fork",
                                "alice",
                                TRUE.toBuilder().holdAt(JobState.CLEAN_UP).build())),
                null);

        assertThatThrownBy(() -> submit(nowhere))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("Nowhere");
        assertThatThrownBy(() -> submit(differing))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("do not agree");
        assertThatThrownBy(() -> engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "x", "Fork", two(null))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("multi-job");
        assertThatThrownBy(() -> submit(TRUE)).isInstanceOf(FaultException.class);
        assertThat(engine.liveJobs()).isZero();
    }
}
