// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.Change;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** Failed jobs that their owner restarts. */
class AttemptsTest extends EngineTestBase {

    private static final LrmEvent.End NODE_FAILED =
            new LrmEvent.End(LrmEvent.Cause.NODE_FAILED, null, null, Duration.ofSeconds(1), null, null);
    private final String alice = ALICE.subject();

    private Job failed() {
        Job job = submit(TRUE);
        awaitJob(job.id(), one -> !one.localIds().isEmpty());
        lrm.start(job.id());
        lrm.end(job.id(), NODE_FAILED);
        return awaitState(job.id(), JobState.FAILED);
    }

    private Job restarted(JobId id) {
        return engine.restart(alice, id).orElseThrow().job();
    }

    private void reopen() {
        engine.close();
        store.close();
        store = TestStores.sqlite(directory);
        engine = engine(JobLimits.defaults(), null);
    }

    @Test
    void aFailedJobIsTriedAgainUnderANewTagAndBothAttemptsAreKeptAndTold() {
        Job first = failed();
        Job second = restarted(first.id());
        awaitJob(second.id(), one -> !one.localIds().isEmpty());
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(lrm.starts(first.id())).isEqualTo(1);
        assertThat(lrm.starts(second.id())).isEqualTo(1);
        assertThat(lrm.descriptionOf(second.id())).isEqualTo(lrm.descriptionOf(first.id()));
        assertThat(second.owner()).isEqualTo(first.owner());
        assertThat(second.origin()).isEqualTo(first.origin());
        Job told = engine.find(alice, first.id()).orElseThrow();
        assertThat(told.state()).isEqualTo(JobState.FAILED);
        assertThat(fault(told).code()).isEqualTo(FaultCode.NODE_FAILED);
        for (JobId any : List.of(first.id(), second.id())) {
            assertThat(engine.attempts(alice, any).orElseThrow())
                    .extracting(Job::id)
                    .containsExactly(first.id(), second.id());
        }
        assertThat(engine.history(alice, first.id()).orElseThrow().getLast().note())
                .contains("attempt 2")
                .contains(second.id().toString());
        assertThat(engine.history(alice, second.id()).orElseThrow())
                .extracting(Change::note)
                .anyMatch(note -> note != null && note.contains(first.id().toString()));
    }

    @Test
    void lateRecordsOfTheOldAttemptChangeNothingAlsoAfterTheStoreWasClosed() {
        Job first = failed();
        Job second = restarted(first.id());
        awaitJob(second.id(), one -> !one.localIds().isEmpty());
        reopen();
        Job oldBefore = store.find(first.id()).orElseThrow();
        Job newBefore = store.find(second.id()).orElseThrow();
        lrm.start(first.id());
        lrm.tell(first.id(), LrmEvent.Kind.SUSPENDED);
        lrm.end(first.id(), 0);
        lrm.end(first.id(), NODE_FAILED);
        assertThat(store.find(first.id())).contains(oldBefore);
        assertThat(store.find(second.id())).contains(newBefore);
        lrm.start(second.id());
        lrm.replay();
        lrm.end(second.id(), 0);
        assertThat(awaitState(second.id(), JobState.DONE).ended()).isNotNull();
        assertThat(store.find(first.id())).contains(oldBefore);
        assertThat(engine.attempts(alice, second.id()).orElseThrow()).hasSize(2);
    }

    @Test
    void aRestartThatIsAskedForOftenMakesOneAttempt() throws Exception {
        Job first = failed();
        Set<JobId> made = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual().start(() -> {
                made.add(restarted(first.id()).id());
                all.countDown();
            });
        }
        all.await();
        reopen();
        made.add(restarted(first.id()).id());
        assertThat(made).hasSize(1);
        assertThat(engine.attempts(alice, first.id()).orElseThrow()).hasSize(2);
    }

    @Test
    void aThirdAttemptFollowsTheSecond() {
        Job first = failed();
        Job second = restarted(first.id());
        awaitJob(second.id(), one -> !one.localIds().isEmpty());
        assertFault(() -> engine.restart(alice, second.id()), FaultCode.WRONG_STATE);
        engine.cancel(alice, second.id());
        awaitState(second.id(), JobState.CANCELLED);
        Job third = restarted(second.id());
        awaitJob(third.id(), one -> !one.localIds().isEmpty());
        lrm.end(third.id(), 3);
        awaitState(third.id(), JobState.DONE);
        Job fourth = restarted(third.id());
        assertThat(engine.attempts(alice, third.id()).orElseThrow())
                .extracting(Job::id)
                .containsExactly(first.id(), second.id(), third.id(), fourth.id());
    }

    @Test
    void onlyTheOwnerRestartsAndOnlyWhatFailed() {
        lrm.runByItself();
        Job done = submit(TRUE);
        awaitState(done.id(), JobState.DONE);
        assertFault(() -> engine.restart(alice, done.id()), FaultCode.WRONG_STATE);
        assertThat(engine.restart(BOB.subject(), done.id())).isEmpty();
        assertThat(engine.restart(alice, newId())).isEmpty();
        assertThat(engine.attempts(BOB.subject(), done.id())).isEmpty();
    }

    @Test
    void noClientTakesTheIdOfAnAttemptBeforehand() {
        Job first = failed();
        String taken = "attempt/" + first.id() + "/2";
        assertFault(
                () -> engine.submit(Submission.of(TestStores.ORIGIN, ALICE, taken, "Fork", OTHER)),
                FaultCode.INVALID_DESCRIPTION);
        assertThat(engine.submitAll(List.of(Submission.of(TestStores.ORIGIN, ALICE, taken, "Fork", OTHER)))
                        .getFirst()
                        .fault())
                .isNotNull();
        assertThat(store.description(restarted(first.id()).id()).orElseThrow())
                .as("the description of the job")
                .isEqualTo(TRUE);
    }
}
