// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubJob;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one account says, of jobs of another account, of another LRM, and of jobs that no LRM has. */
class IsolationTest extends EngineTestBase {

    private static final TransferList FETCHING =
            new TransferList(List.of(new Transfer("gsiftp://a/in", "file:///in")), List.of(), List.of());

    private final FakeLrm other = new FakeLrm("Slurm");

    @Override
    List<Lrm> lrms() {
        return List.of(lrm, other);
    }

    private static LrmEvent event(JobId victim, LrmEvent.Kind kind) {
        LrmEvent.End end = kind != LrmEvent.Kind.ENDED
                ? null
                : new LrmEvent.End(
                        LrmEvent.Cause.NOT_STARTED,
                        1,
                        null,
                        null,
                        Fault.of(FaultCode.EXECUTION_FAILED, "Pay at example.org.", ""),
                        null);
        return new LrmEvent(victim, List.of("forged"), kind, Instant.now(), end, end == null ? "a forged note" : null);
    }

    private Job running() {
        Job job = submit(TRUE);
        awaitJob(job.id(), found -> !found.localIds().isEmpty());
        lrm.start(job.id());
        return awaitState(job.id(), JobState.ACTIVE);
    }

    @ParameterizedTest
    @EnumSource(LrmEvent.Kind.class)
    void anAccountDoesNotSpeakOfAnothersJob(LrmEvent.Kind kind) {
        Job victim = running();
        assertThat(lrm.tellAs("bob", event(victim.id(), kind))).isEmpty();
        assertThat(store.find(victim.id())).contains(victim);
        assertThat(engine.lrmAdministration().strayRecords("Fork")).isEqualTo(1);
        assertThat(lrm.tellAs("alice", event(victim.id(), kind))).hasSize(1);
        assertThat(engine.lrmAdministration().strayRecords("Fork")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(LrmEvent.Kind.class)
    void anLrmDoesNotSpeakOfAnothersJob(LrmEvent.Kind kind) {
        Job victim = running();
        assertThat(other.tellAs("alice", event(victim.id(), kind))).isEmpty();
        other.tell(victim.id(), LrmEvent.Kind.SUSPENDED);
        assertThat(store.find(victim.id())).contains(victim);
        assertThat(engine.lrmAdministration().strayRecords("Slurm")).isEqualTo(2);
        assertThat(engine.lrmAdministration().strayRecords("Fork")).isZero();
    }

    @ParameterizedTest
    @EnumSource(LrmEvent.Kind.class)
    void nobodySpeaksOfAMultiJob(LrmEvent.Kind kind) {
        JobDescription description = JobDescription.multi(
                List.of(new SubJob("Fork", "alice", TRUE), new SubJob("Fork", "alice", TRUE)), null);
        Job multi = engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "multi", JobsBySubject.MULTI, description))
                .job();
        Job before = awaitJob(multi.id(), found -> found.state() == JobState.PENDING);
        assertThat(lrm.tellAs("alice", event(multi.id(), kind))).isEmpty();
        assertThat(store.find(multi.id()).orElseThrow().state()).isEqualTo(before.state());
        assertThat(store.find(multi.id()).orElseThrow().outcome()).isNull();
    }

    @ParameterizedTest
    @EnumSource(LrmEvent.Kind.class)
    void aJobThatWasNotGivenToTheLrmIsNotInIt(LrmEvent.Kind kind) {
        engine.close();
        RecordingStager stager = new RecordingStager();
        stager.takeLong();
        engine = engine(JobLimits.defaults(), stager);
        Job job = submit(TRUE.toBuilder().transfers(FETCHING).build());
        awaitState(job.id(), JobState.STAGE_IN);
        assertThat(lrm.tellAs("alice", event(job.id(), kind))).isEmpty();
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.STAGE_IN);
        engine.cancel(ALICE.subject(), job.id());
    }

    @Test
    void aForgedEndDoesNotSetTheCancelOfAnothersJobGoing() {
        Job victim = running();
        lrm.setMood(FakeLrm.Mood.SILENT);
        engine.cancel(ALICE.subject(), victim.id());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> store.find(victim.id()).orElseThrow().outcome() != null);
        for (int i = 0; i < 100; i++) {
            assertThat(lrm.tellAs("bob", event(victim.id(), LrmEvent.Kind.ENDED)))
                    .isEmpty();
        }
        assertThat(engine.lrmAdministration().strayRecords("Fork")).isEqualTo(100);
        assertThat(store.find(victim.id()).orElseThrow().state()).isEqualTo(JobState.ACTIVE);
    }
}
