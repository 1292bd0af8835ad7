// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.ResourceUse;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** Jobs whose files are moved before, while and after they run. */
class StagedJobsTest extends EngineTestBase {

    /** Another engine in the place of the first, whose files are moved by a stager that behaves so. */
    private RecordingStager staged(Consumer<RecordingStager> behaviour) {
        engine.close();
        RecordingStager stager = new RecordingStager();
        behaviour.accept(stager);
        engine = engine(JobLimits.defaults(), stager);
        return stager;
    }

    @Test
    void filesAreRefusedWhereThereIsNoFileTransfer() {
        TransferList files = new TransferList(List.of(new Transfer("gsiftp://a/b", "file:///c")), List.of(), List.of());
        assertFault(() -> submit(TRUE.toBuilder().transfers(files).build()), FaultCode.UNSUPPORTED_FEATURE);
    }

    /** Jobs that were accepted before; without their files they would do something else than they were to do. */
    @Test
    void jobsFailWhoseFilesAreToBeMovedWhenThereIsNoFileTransferAnyMore() {
        staged(RecordingStager::takeLong);
        TransferList in = new TransferList(List.of(new Transfer("gsiftp://a/in", "file:///in")), List.of(), List.of());
        TransferList out =
                new TransferList(List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of());
        Job reads = submit(TRUE.toBuilder().transfers(in).build());
        Job writes = submit(TRUE.toBuilder().transfers(out).build());
        Job leaves = submit(TRUE.toBuilder().transfers(LEAVING).build());
        Job copies = engine.submit(Submission.of(
                        TestStores.ORIGIN,
                        ALICE,
                        "copy",
                        OnlyTransfers.LRM,
                        JobDescription.builder("").transfers(in).build()))
                .job();
        awaitState(reads.id(), JobState.STAGE_IN);
        awaitState(copies.id(), JobState.STAGE_IN);
        awaitState(writes.id(), JobState.PENDING);
        awaitState(leaves.id(), JobState.PENDING);
        engine.close();
        engine = engine(JobLimits.defaults(), null);
        lrm.replay();
        lrm.end(writes.id(), 0);
        lrm.end(leaves.id(), 0);

        for (Job job : List.of(reads, copies, writes)) {
            Fault fault = fault(awaitState(job.id(), JobState.FAILED));
            assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
            assertThat(fault.sentence()).contains("no file transfer any more");
        }
        assertThat(lrm.knows(reads.id())).isFalse();
        awaitState(leaves.id(), JobState.DONE);
        assertThat(store.changesOf(leaves.id()))
                .anyMatch(change -> String.valueOf(change.note()).contains("clean-up: The job's files to delete"));
    }

    @Test
    void anLrmThatMovesFilesItselfGetsThemWithTheJobAndNoneIsMovedHere() {
        lrm.moveFiles();
        RecordingStager stager = staged(RecordingStager::failStageIn);
        TransferList files = new TransferList(
                List.of(new Transfer("https://a/in", "file:///in")),
                List.of(new Transfer("file:///out", "https://a/out")),
                List.of("file:///in"));
        Job job = submit(TRUE.toBuilder().transfers(files).build());
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        lrm.end(job.id(), 0);

        awaitState(job.id(), JobState.DONE);
        assertThat(lrm.got(job.id()).transfers()).isEqualTo(files);
        assertThat(states(job.id()))
                .containsExactly(
                        JobState.UNSUBMITTED, JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE);
        assertThat(stager.calls()).doesNotContain("stageIn", "stageOut", "cleanUp");
    }

    @Test
    void oneThatIsHeldBeforeItsFilesGoesToSuchAnLrmWhenItIsReleased() {
        lrm.moveFiles();
        RecordingStager stager = staged(RecordingStager::failStageIn);
        TransferList files =
                new TransferList(List.of(new Transfer("https://a/in", "file:///in")), List.of(), List.of());
        Job job = submit(
                TRUE.toBuilder().transfers(files).holdAt(JobState.STAGE_IN).build());
        awaitJob(job.id(), Job::holding);
        assertThat(lrm.knows(job.id())).isFalse();
        engine.release(job.owner().subject(), job.id());

        awaitState(job.id(), JobState.PENDING);
        assertThat(stager.calls()).doesNotContain("stageIn");
    }

    private static final TransferList ELSEWHERE = new TransferList(
            List.of(new Transfer("https://a/in", "file:///in")),
            List.of(new Transfer("file:///out", "https://a/out")),
            List.of("file:///in"));

    private Job heldBeforeItsFiles() {
        Job job = submit(
                TRUE.toBuilder().transfers(ELSEWHERE).holdAt(JobState.STAGE_IN).build());
        return awaitJob(job.id(), Job::holding);
    }

    /** {@code file:} names files of another machine in them: this one would fetch into, and delete, whatever has these names here. */
    @Test
    void noFileIsTouchedHereForJobsOfSuchAnLrmThatIsGone() {
        lrm.moveFiles();
        staged(stager -> {});
        Job job = heldBeforeItsFiles();
        lrm = new FakeLrm("Slurm");
        RecordingStager stager = staged(RecordingStager::failStageIn);

        engine.release(ALICE.subject(), job.id());
        awaitJob(job.id(), Job::inputReady);
        lrm = new FakeLrm("Fork");
        lrm.moveFiles();
        RecordingStager later = staged(RecordingStager::failStageIn);
        awaitState(job.id(), JobState.PENDING);
        assertThat(later.calls()).doesNotContain("stageIn");
        assertThat(stager.calls()).doesNotContain("stageIn", "stageOut", "cleanUp");
    }

    @Test
    void jobsWithFilesFailWhoseLrmBecameAnotherGatewayOrIsNoneAnyMore() {
        lrm.moveFiles();
        staged(stager -> {});
        Job there = heldBeforeItsFiles();
        lrm = new FakeLrm("Fork");
        RecordingStager stager = staged(recording -> {});
        engine.release(ALICE.subject(), there.id());
        assertThat(fault(awaitState(there.id(), JobState.FAILED)).sentence())
                .isEqualTo(
                        "The LRM Fork was another gateway when the job was accepted, so its files would be in the wrong place.");
        assertThat(stager.calls()).doesNotContain("stageIn", "stageOut", "cleanUp");

        Job here = heldBeforeItsFiles();
        lrm = new FakeLrm("Fork");
        lrm.moveFiles();
        RecordingStager later = staged(recording -> {});
        engine.release(ALICE.subject(), here.id());
        assertThat(fault(awaitState(here.id(), JobState.FAILED)).sentence()).contains("was no other gateway");
        assertThat(later.calls()).contains("stageIn", "cleanUp");
    }

    @Test
    void whatSuchAnLrmCannotMoveIsRefusedBeforeTheJobIsStored() {
        lrm.moveFiles();
        lrm.refuseFiles(Fault.of(FaultCode.UNSUPPORTED_FEATURE, "It cannot, on purpose.", "Leave it out."));
        staged(stager -> {});

        assertFault(() -> submit(TRUE.toBuilder().transfers(LEAVING).build()), FaultCode.UNSUPPORTED_FEATURE);
        awaitState(submit(TRUE).id(), JobState.PENDING);
    }

    @Test
    void aCleanUpThatFailsAfterItsOwnersCancelIsHowTheJobEnded() {
        staged(RecordingStager::failCleanUp);
        Job job = submit(TRUE.toBuilder().transfers(LEAVING).build());
        awaitState(job.id(), JobState.PENDING);
        engine.cancel(job.owner().subject(), job.id());
        Job over = awaitJob(job.id(), found -> found.state().isTerminal());

        assertThat(over.state()).isEqualTo(JobState.CANCELLED);
        Fault fault = requireNonNull(requireNonNull(over.outcome()).fault());
        assertThat(fault.code()).isEqualTo(FaultCode.STAGING_FAILED);
        assertThat(fault.sentence()).contains("cancelled by its owner").contains("The file is busy");
        assertThat(fault.remedy()).isEqualTo("Remove it yourself.");
    }

    @Test
    void aCleanUpThatFailsAfterTheJobsOwnEndChangesNothing() {
        staged(RecordingStager::failCleanUp);
        Job job = submit(TRUE.toBuilder().transfers(LEAVING).build());
        awaitState(job.id(), JobState.PENDING);
        lrm.end(job.id(), 3);

        awaitState(job.id(), JobState.DONE);
    }

    @Test
    void aCancelStopsTheStageInAndTheJobIsCleanedUp() {
        RecordingStager stager = staged(RecordingStager::takeLong);
        TransferList files = new TransferList(
                List.of(new Transfer("gsiftp://a/in", "file:///in")), List.of(), List.of("file:///in"));
        List<Job> jobs = new ArrayList<>();
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
        RecordingStager stager = staged(willing -> {});
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

    /** That they went packed over the network, for example. */
    @Test
    void whatIsToldOfInputFilesIsInTheHistoryOnce() {
        staged(RecordingStager::tell);
        TransferList files =
                new TransferList(List.of(new Transfer("gsiftp://a/in", "file:///in")), List.of(), List.of());
        Job job = submit(TRUE.toBuilder().transfers(files).build());
        awaitState(job.id(), JobState.PENDING);
        assertThat(store.changesOf(job.id()))
                .filteredOn(change -> "its input came packed, on purpose".equals(change.note()))
                .singleElement()
                .extracting(Change::to)
                .isEqualTo(JobState.STAGE_IN);
    }

    @Test
    void whatAJobUsedIsKeptThroughAFailureAfterItsEnd() {
        staged(RecordingStager::failStageOut);
        Job job = submit(TRUE.toBuilder()
                .transfers(
                        new TransferList(List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of()))
                .build());
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        ResourceUse used = new ResourceUse(
                null,
                Duration.ofMillis(1500),
                Duration.ofMillis(250),
                61_440L,
                2,
                List.of("node1"),
                "main",
                ResourceUse.Source.LRM);
        lrm.end(job.id(), new LrmEvent.End(LrmEvent.Cause.EXITED, 0, null, Duration.ofSeconds(2), null, null, used));
        JobOutcome outcome =
                awaitState(job.id(), JobState.FAILED).settledOutcome().orElseThrow();
        assertThat(outcome.used()).isEqualTo(used);
        assertThat(used.cpu()).isEqualTo(Duration.ofMillis(1750));
        assertThat(outcome.wallTime()).isEqualTo(Duration.ofSeconds(2));
    }

    private Job failingAfterItsStart(boolean sends) {
        Job job = submit(TRUE.toBuilder()
                .transfers(new TransferList(
                        List.of(), List.of(new Transfer("file:///out", "gsiftp://a/out")), List.of("file:///x")))
                .stageOutOnFailure(sends)
                .build());
        awaitState(job.id(), JobState.PENDING);
        lrm.start(job.id());
        awaitState(job.id(), JobState.ACTIVE);
        lrm.end(job.id(), new LrmEvent.End(LrmEvent.Cause.NODE_FAILED, null, null, null, null, null));
        return job;
    }

    @Test
    void whatAFailedJobLeftIsSentWhereItAsksForThat() {
        RecordingStager stager = staged(willing -> {});
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
        return staged(RecordingStager::follow);
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
        await().until(() -> toldOf(job) == 1);
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
        // after its end can be read
        await().untilAsserted(() ->
                assertThat(stager.calls()).containsSubsequence("follow", "stageOut", "cleanUp", "unfollow"));
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
        await().until(() -> before.calls().contains("follow") && toldOf(job) == 1);

        RecordingStager after = following();
        await().until(() -> after.calls().contains("follow"));
        assertThat(after.calls()).containsExactly("follow");
        lrm.end(job.id(), 0);
        awaitState(job.id(), JobState.DONE);
        assertThat(toldOf(job)).as("the same news after the restart").isEqualTo(1);
    }

    private long toldOf(Job job) {
        return store.changesOf(job.id()).stream()
                .filter(change -> String.valueOf(change.note()).contains("no more of it is sent, on purpose"))
                .count();
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
        RecordingStager stager = staged(RecordingStager::takeLong);
        Job job = failingAfterItsStart(true);
        await().until(() -> stager.calls().contains("sendWhatIsThere"));
        engine.cancel(ALICE.subject(), job.id());
        awaitState(job.id(), JobState.FAILED);
        assertThat(stager.calls()).containsExactly("sendWhatIsThere", "stopSending", "cleanUp");
    }
}
