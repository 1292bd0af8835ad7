// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.job.After;
import org.jobgate.job.After.When;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.SubJob;
import org.jobgate.job.SubmissionKey;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** Flows, multi-jobs whose jobs wait for one another, and jobs that only move files, through the whole engine. */
class FlowsTest extends EngineTestBase {

    private static final TransferList COPY =
            new TransferList(List.of(new Transfer("gsiftp://a/in", "gsiftp://b/in")), List.of(), List.of());
    private static final JobDescription TRANSFER =
            JobDescription.builder("").transfers(COPY).build();

    /** Also on a busy machine 10,000 jobs are stored and looked at within it. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private final FakeLrm other = new FakeLrm("Elsewhere");

    @Override
    List<Lrm> lrms() {
        return List.of(lrm, other);
    }

    private static SubJob job(String name, After... after) {
        return new SubJob("Fork", "alice", TRUE, name, List.of(after));
    }

    private static After ok(String name) {
        return new After(name, When.OK);
    }

    private Job submitted(SubJob... jobs) {
        return submit(JobDescription.multi(List.of(jobs), null));
    }

    @Override
    Job submit(JobDescription description) {
        return engine.submit(Submission.of(
                        TestStores.ORIGIN, ALICE, "key-" + System.nanoTime(), JobsBySubject.MULTI, description))
                .job();
    }

    private List<JobId> jobs(Job flow) {
        Job begun = await().atMost(LONG)
                .until(
                        () -> store.find(flow.id()).orElseThrow(),
                        job -> !job.localIds().isEmpty());
        return begun.localIds().stream().map(JobId::parse).toList();
    }

    private void start(JobId id) {
        await().atMost(LONG).until(() -> lrm.knows(id));
        lrm.start(id);
    }

    private void end(JobId id, int exitCode) {
        start(id);
        lrm.end(id, exitCode);
    }

    private String waiting(JobId id) {
        var reason = engine.find(ALICE.subject(), id).orElseThrow().pendingReason();
        return reason == null ? "" : reason.because();
    }

    @Test
    void eachJobBeginsWhenThoseThatItWaitsForHaveEndedWell() {
        Job flow = submitted(job("import"), job("work", ok("import")), job("script", ok("work"), ok("import")));
        List<JobId> jobs = jobs(flow);
        await().until(() -> lrm.knows(jobs.get(0)));
        assertThat(waiting(jobs.get(1))).isEqualTo("it waits for other jobs of its flow: import is to end well");
        assertThat(waiting(jobs.get(2))).contains("work is to end well, import is to end well");
        start(jobs.get(0));
        awaitState(flow.id(), JobState.ACTIVE);
        // what waits is not the owner's to let go, only to hold and to end
        engine.release(ALICE.subject(), jobs.get(1));
        assertThat(store.find(jobs.get(1)).orElseThrow().waitsForOthers()).isTrue();
        lrm.end(jobs.get(0), 0);
        start(jobs.get(1));
        assertThat(lrm.knows(jobs.get(2))).isFalse();
        lrm.end(jobs.get(1), 0);
        end(jobs.get(2), 0);

        assertThat(outcome(awaitState(flow.id(), JobState.DONE)).exitCode()).isZero();
        assertThat(states(flow.id()))
                .containsExactly(
                        JobState.UNSUBMITTED, JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE);
        assertThat(store.changesOf(jobs.get(1)))
                .anyMatch(change -> "the jobs of its flow that it waited for are over".equals(change.note()));
        awaitLive(0);
    }

    @Test
    void whatWaitsForAGoodEndIsLeftOutAndWhatWaitsForAFailureBegins() {
        Job flow = submitted(
                job("work"),
                job("next", ok("work")),
                job("last", ok("next")),
                job("tidy", new After("work", When.FAILED)),
                job("tell", new After("last", When.ANY)));
        List<JobId> jobs = jobs(flow);
        end(jobs.get(0), 3); // Done, and not well
        end(jobs.get(3), 0);
        end(jobs.get(4), 0);

        Job over = awaitState(flow.id(), JobState.DONE);
        assertThat(outcome(over).exitCode()).isEqualTo(3);
        Job next = awaitState(jobs.get(1), JobState.CANCELLED);
        assertThat(fault(next).sentence())
                .isEqualTo("The job was left out of its flow: work is to end well, and it did not.");
        assertThat(fault(awaitState(jobs.get(2), JobState.CANCELLED)).sentence())
                .contains("next is to end well, and it did not");
        assertThat(lrm.knows(jobs.get(1))).isFalse();
    }

    @Test
    void aJobThatFailsFailsTheFlowWhenAllIsOverAndIsNamed() {
        Job flow = submitted(job("work"), job("tidy", new After("work", When.FAILED)));
        List<JobId> jobs = jobs(flow);
        await().until(() -> lrm.knows(jobs.get(0)));
        lrm.end(jobs.get(0), new LrmEvent.End(LrmEvent.Cause.MEMORY, null, null, null, null, null));
        awaitState(jobs.get(0), JobState.FAILED);
        start(jobs.get(1));
        awaitState(flow.id(), JobState.ACTIVE);
        lrm.end(jobs.get(1), 0);

        assertThat(fault(awaitState(flow.id(), JobState.FAILED)).sentence())
                .startsWith("Job work of the flow, " + jobs.get(0) + ", failed: ")
                .contains("memory");
        assertThat(store.find(jobs.get(1)).orElseThrow().state()).isEqualTo(JobState.DONE);
    }

    @Test
    void itIsCancelledAsAWhole() {
        Job flow = submitted(job("a"), job("b", ok("a")), job("c", ok("b")));
        List<JobId> jobs = jobs(flow);
        start(jobs.get(0));
        awaitState(flow.id(), JobState.ACTIVE);

        engine.cancel(ALICE.subject(), flow.id());

        awaitState(jobs.get(1), JobState.CANCELLED);
        awaitState(jobs.get(2), JobState.CANCELLED);
        awaitState(flow.id(), JobState.CANCELLED);
        assertThat(lrm.knows(jobs.get(1))).isFalse();
        awaitLive(0);
    }

    @Test
    void theServicesOwnEndChangesNothing() {
        Job flow = submitted(job("a"), job("b", ok("a")), job("c", ok("b")));
        List<JobId> jobs = jobs(flow);
        start(jobs.get(0));
        awaitState(flow.id(), JobState.ACTIVE);
        engine.close();
        lrm.end(jobs.get(0), 0);

        engine = engine(JobLimits.defaults(), null);
        lrm.replay();
        end(jobs.get(1), 0);
        engine.close();
        engine = engine(JobLimits.defaults(), null);
        lrm.replay();
        end(jobs.get(2), 0);

        awaitState(flow.id(), JobState.DONE);
        jobs.forEach(job -> assertThat(lrm.starts(job)).isEqualTo(1));
    }

    @Test
    void aJobThatOnlyMovesFilesIsDoneWithThem() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        engine = engine(JobLimits.defaults(), stager);
        Job flow = submitted(
                job("import"),
                new SubJob(OnlyTransfers.LRM, "alice", TRANSFER, "move", List.of(ok("import"))),
                new SubJob("Elsewhere", "alice", TRUE, "there", List.of(ok("move"))));
        List<JobId> jobs = jobs(flow);
        end(jobs.get(0), 0);
        awaitState(jobs.get(1), JobState.DONE);
        assertThat(stager.calls()).containsExactly("stageIn", "cleanUp");
        assertThat(states(jobs.get(1)))
                .containsExactly(JobState.UNSUBMITTED, JobState.STAGE_IN, JobState.CLEAN_UP, JobState.DONE);
        await().until(() -> other.knows(jobs.get(2)));
        other.end(jobs.get(2), 0);
        awaitState(flow.id(), JobState.DONE);
    }

    @Test
    void aTransferThatFailsOrIsCancelledEndsItsJob() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.failStageIn();
        engine = engine(JobLimits.defaults(), stager);
        Submission single = Submission.of(TestStores.ORIGIN, ALICE, "single", OnlyTransfers.LRM, TRANSFER);
        assertThat(fault(awaitState(engine.submit(single).job().id(), JobState.FAILED))
                        .sentence())
                .contains("The source was not there");
        stager.takeLong();
        Job slow = engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "slow", OnlyTransfers.LRM, TRANSFER))
                .job();
        awaitState(slow.id(), JobState.STAGE_IN);
        await().until(() -> stager.calls().equals(List.of("stageIn", "cleanUp", "stageIn")));
        assertFault(() -> engine.suspend(ALICE.subject(), slow.id()), FaultCode.UNSUPPORTED_FEATURE);
        // one that no LRM knows is ended although none can be asked, also after a start of the service
        engine.close();
        engine = engine(JobLimits.defaults(), stager);
        engine.cancel(ALICE.subject(), slow.id());
        awaitState(slow.id(), JobState.CANCELLED);
        awaitLive(0);
    }

    /** What waits for its end may read or write the same file. */
    @Test
    void aTransferThatIsCancelledIsOverWhenNothingOfItIsOnItsWayAnyMore() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stager.takeLong();
        stager.stopWhen(stopped);
        engine = engine(JobLimits.defaults(), stager);
        Job flow = submitted(
                new SubJob(OnlyTransfers.LRM, "alice", TRANSFER, "move", List.of()),
                job("tidy", new After("move", When.FAILED)));
        List<JobId> jobs = jobs(flow);
        await().until(() -> stager.calls().contains("stageIn"));

        engine.cancel(ALICE.subject(), jobs.get(0));

        awaitState(jobs.get(0), JobState.CLEAN_UP);
        assertThat(lrm.knows(jobs.get(1))).isFalse();
        stopped.complete(null);
        awaitState(jobs.get(0), JobState.CANCELLED);
        end(jobs.get(1), 0);
        awaitState(flow.id(), JobState.FAILED);
    }

    @Test
    void aTransferIsHeldBeforeItBeginsAndNotWhereItNeverComes() {
        engine.close();
        RecordingStager stager = new RecordingStager();
        engine = engine(JobLimits.defaults(), stager);
        Job flow = submitted(
                job("import"), new SubJob(OnlyTransfers.LRM, "alice", TRANSFER, "move", List.of(ok("import"))));
        List<JobId> jobs = jobs(flow);
        JobId move = jobs.get(1);
        String alice = ALICE.subject();
        assertFault(() -> engine.hold(alice, move, JobState.PENDING), FaultCode.WRONG_STATE);
        assertFault(() -> engine.hold(alice, move, JobState.STAGE_OUT), FaultCode.WRONG_STATE);
        for (JobDescription never : List.of(
                TRANSFER.toBuilder().holdAt(JobState.PENDING).build(),
                TRANSFER.toBuilder().holdAt(JobState.STAGE_OUT).build(),
                TRANSFER.toBuilder()
                        .holdAt(JobState.STAGE_IN)
                        .holdAgain(JobState.PENDING)
                        .build())) {
            assertFault(
                    () -> engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "never", OnlyTransfers.LRM, never)),
                    FaultCode.INVALID_DESCRIPTION);
        }

        engine.hold(alice, move, null);
        end(jobs.get(0), 0);

        assertThat(awaitJob(move, job -> job.isHeld()).state()).isEqualTo(JobState.STAGE_IN);
        assertThat(stager.calls()).isEmpty();
        stager.takeLong();
        engine.release(alice, move);
        await().until(() -> stager.calls().contains("stageIn"));
        assertFault(() -> engine.hold(alice, move, null), FaultCode.WRONG_STATE);
        engine.hold(alice, move, JobState.CLEAN_UP);
        engine.cancel(alice, move);
        awaitState(move, JobState.CANCELLED);
    }

    @Test
    void loopsAndNamesThatAreNotThereAreRefusedByName() {
        refused("a waits for c waits for b waits for a", job("a", ok("c")), job("b", ok("a")), job("c", ok("b")));
        refused("a waits for a", job("a", ok("a")));
        refused("waits for impotr", job("import"), job("b", ok("impotr")));
        refused("the name a", job("a"), job("a"));
        refused("waits for a twice", job("a"), job("b", ok("a"), new After("a", When.ANY)));
        refused("runs none", new SubJob(OnlyTransfers.LRM, "alice", TRUE));
        refused("cannot be given to the LRM Fork", new SubJob("Fork", "alice", TRANSFER));
        refused(
                "it can have no argument",
                new SubJob(
                        OnlyTransfers.LRM,
                        "alice",
                        TRANSFER.toBuilder().arguments(List.of("x")).build()));
        assertThat(engine.liveJobs()).isZero();
    }

    private void refused(String why, SubJob... jobs) {
        assertThatThrownBy(() -> submitted(jobs))
                .as(Arrays.toString(jobs))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(why);
    }

    /** As many jobs as one flow may have at the most, each waiting for the one before. */
    @Test
    void tenThousandJobsOfOneFlowAreRefusedByTheLimitUnlessItAllowsThem() {
        List<SubJob> chain = new ArrayList<>(List.of(job("j0")));
        for (int i = 1; i < 10_000; i++) {
            chain.add(job("j" + i, ok("j" + (i - 1))));
        }
        refused("limits.maxSubJobs = 256", chain.toArray(SubJob[]::new));
        engine.close();
        engine = engine(
                JobLimits.defaults()
                        .with(new Limit("limits.maxSubJobs", 10_000), new Limit("limits.maxLiveJobsPerOwner", 20_000)),
                null);
        Job flow = submitted(chain.toArray(SubJob[]::new));
        List<JobId> jobs = jobs(flow);
        end(jobs.get(0), 0);
        await().atMost(LONG).until(() -> lrm.knows(jobs.get(1)));
        engine.cancel(ALICE.subject(), flow.id());
        await().atMost(LONG).until(() -> engine.liveJobs() == 0);
        assertThat(lrm.knows(jobs.get(2))).isFalse();
    }

    /** The first look at the jobs of a multi-job asked for each of them alone, which took long for many. */
    @Test
    void theJobsOfOneThatBeginsAreFoundByOneQuestion() throws Exception {
        engine.close();
        AtomicInteger alone = new AtomicInteger();
        store = counting(store, JobStore.class.getMethod("find", SubmissionKey.class), alone);
        engine = engine(JobLimits.defaults(), null);
        List<SubJob> chain = new ArrayList<>(List.of(job("j0")));
        for (int i = 1; i < 100; i++) {
            chain.add(job("j" + i, ok("j" + (i - 1))));
        }
        List<JobId> jobs = jobs(submitted(chain.toArray(SubJob[]::new)));
        end(jobs.get(0), 0);
        start(jobs.get(1));
        assertThat(alone).hasValueLessThan(10);
    }

    private static JobStore counting(JobStore store, Method counted, AtomicInteger count) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.equals(counted)) {
                        count.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
