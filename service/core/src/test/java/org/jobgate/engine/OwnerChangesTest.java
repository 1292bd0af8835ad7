// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** The history of a job, and the changes of an owner's jobs as they come. */
class OwnerChangesTest extends EngineTestBase {

    private static final Duration LONG = Duration.ofMinutes(1);
    private final String alice = ALICE.subject();

    private CompletableFuture<OwnerChanges> waiting(long cursor, Duration timeout) {
        CompletableFuture<OwnerChanges> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(engine.awaitChanges(alice, cursor, 100, timeout));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Test
    void aHistoryTellsTimesStatesAndReasonsToTheOwnerAlone() {
        lrm.runByItself();
        Job job = submit(TRUE);
        awaitState(job.id(), JobState.DONE);
        List<Change> history = engine.history(alice, job.id()).orElseThrow();
        assertThat(history)
                .extracting(Change::to)
                .startsWith(JobState.UNSUBMITTED)
                .endsWith(JobState.DONE);
        assertThat(history).extracting(Change::at).isSorted();
        assertThat(history).extracting(Change::version).isSorted().doesNotHaveDuplicates();
        engine.destroy(alice, job.id());
        assertThat(engine.history(alice, job.id())).isEmpty();
        Job other = submit(TRUE);
        engine.cancel(alice, other.id());
        assertThat(engine.history(alice, other.id()).orElseThrow())
                .extracting(Change::note)
                .contains("cancelled by its owner");
        assertThat(engine.history(BOB.subject(), other.id())).isEmpty();
    }

    @Test
    void whoWaitsIsToldOfTheNextChangeAndOfNobodyElses() {
        long cursor = engine.lastChange();
        CompletableFuture<OwnerChanges> answer = waiting(cursor, LONG);
        engine.submit(Submission.of(TestStores.ORIGIN, BOB, "bobs", "Fork", TRUE));
        await().during(Duration.ofMillis(300)).until(() -> !answer.isDone());
        Job mine = submit(TRUE);
        OwnerChanges told = answer.join();
        assertThat(told.changes()).isNotEmpty().allMatch(change -> change.job().equals(mine.id()));
    }

    @Test
    void aQuietOwnersCursorMovesOnWithTheStream() {
        long cursor = engine.lastChange();
        Job bobs = engine.submit(Submission.of(TestStores.ORIGIN, BOB, "bobs", "Fork", TRUE))
                .job();
        CompletableFuture<OwnerChanges> answer = waiting(cursor, Duration.ofSeconds(1));
        awaitJob(bobs.id(), job -> !job.localIds().isEmpty());
        OwnerChanges told = answer.join();
        assertThat(told.changes()).isEmpty();
        assertThat(told.isCaughtUp()).isTrue();
        assertThat(told.cursor()).isGreaterThan(cursor);
    }

    @Test
    void whoReadsSlowlyMissesNothingAndHearsNothingTwiceAlsoOverARestart() {
        long cursor = engine.lastChange();
        List<JobId> jobs = new ArrayList<>();
        List<Change> heard = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            JobId job = submit(TRUE).id();
            jobs.add(job);
            awaitJob(job, one -> !one.localIds().isEmpty());
            lrm.start(job);
            lrm.end(job, 0);
            if (i == 10) {
                engine.close();
                store.close();
                store = TestStores.sqlite(directory);
                engine = engine(JobLimits.defaults(), null);
            }
            if (i % 5 == 0) {
                OwnerChanges some = engine.awaitChanges(alice, cursor, 3, LONG);
                heard.addAll(some.changes());
                cursor = some.cursor();
            }
        }
        jobs.forEach(id -> awaitState(id, JobState.DONE));
        OwnerChanges some = engine.changes(alice, cursor, 7);
        while (!some.changes().isEmpty() || !some.isCaughtUp()) {
            heard.addAll(some.changes());
            some = engine.changes(alice, some.cursor(), 7);
        }
        List<Change> all = new ArrayList<>();
        jobs.forEach(id -> all.addAll(store.changesOf(id)));
        assertThat(heard).containsExactlyInAnyOrderElementsOf(all);
        assertThat(heard).extracting(Change::sequence).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aCursorThatCannotBeServedIsRefusedToWhoWaitsToo() {
        assertFault(() -> engine.awaitChanges(alice, engine.lastChange() + 5, 10, LONG), FaultCode.CURSOR_EXPIRED);
    }

    @Test
    void nobodyWaitsWhenTheServiceEnds() {
        CompletableFuture<OwnerChanges> answer = waiting(engine.lastChange(), LONG);
        await().during(Duration.ofMillis(100)).until(() -> !answer.isDone());
        engine.endWaits();
        assertThat(answer.orTimeout(1, java.util.concurrent.TimeUnit.MINUTES)
                        .join()
                        .changes())
                .isEmpty();
    }
}
