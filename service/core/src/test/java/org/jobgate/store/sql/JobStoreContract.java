// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.store.sql.SampleJobs.ALICE;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What every {@link JobStore} does, whatever database it lies on; here, when things go wrong. */
public abstract class JobStoreContract extends JobStoreGroupContract {

    @Test
    void aPoisonedWriteFailsAloneAndTheOthersOfItsBatchAreStored() throws Exception {
        refuseChangesWithNote("poison");
        Job job = createdFor(ALICE, "k");
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        long before = store.lastChange();
        var first = store.create(samples.newJob(ALICE, "first"));
        var poison = store.update(job.id(), j -> List.of(Step.of(j.withHolding(true), "poison")));
        var second = store.update(job.id(), j -> List.of(Step.of(j, "fine")));
        var third = store.create(samples.newJob(ALICE, "third"));
        hold.countDown();
        assertThat(get(first)).isInstanceOf(CreateResult.Created.class);
        assertThat(faultOf(poison)).isEqualTo(FaultCode.INTERNAL);
        assertThat(get(second).orElseThrow().holding()).isFalse();
        assertThat(get(second).orElseThrow().version()).isEqualTo(2);
        assertThat(get(third)).isInstanceOf(CreateResult.Created.class);
        assertThat(store.changesAfter(before, 10)).extracting(Change::note).containsExactly(null, "fine", null);
        assertThat(store.changesAfter(before, 10)).extracting(Change::sequence).isSorted();
    }

    @Test
    void aTimeThatCannotBeStoredFailsItsWriteAlone() {
        Job job = createdFor(ALICE, "k");
        var bad = store.update(job.id(), j -> List.of(Step.of(j.withTerminationTime(Instant.MAX), "never")));
        var good = store.create(samples.newJob(ALICE, "good"));
        assertThat(faultOf(bad)).isEqualTo(FaultCode.INTERNAL);
        assertThat(get(good)).isInstanceOf(CreateResult.Created.class);
        assertThat(store.find(job.id())).contains(job);
    }

    @Test
    void aFullQueueRefusesCreatesByTheNameOfTheLimitAndLetsUpdatesWait() throws Exception {
        reopen(settings -> settings.withMaxQueuedWrites(2));
        Job job = createdFor(ALICE, "k");
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var first = store.create(samples.newJob(ALICE, "1"));
        var second = store.create(samples.newJob(ALICE, "2"));
        var refused = store.create(samples.newJob(ALICE, "3"));
        assertThat(faultOf(refused)).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThatThrownBy(() -> get(refused)).rootCause().hasMessageContaining("store.maxQueuedWrites = 2");
        CompletableFuture<Job> waiting =
                CompletableFuture.supplyAsync(() -> updated(job.id(), j -> List.of(Step.of(j, "waited"))));
        assertThat(store.statistics().queued()).isEqualTo(2);
        assertThat(waiting).isNotDone();
        hold.countDown();
        assertThat(get(first)).isInstanceOf(CreateResult.Created.class);
        assertThat(get(second)).isInstanceOf(CreateResult.Created.class);
        assertThat(get(waiting).version()).isEqualTo(2);
        assertThat(store.find(new SubmissionKey(ALICE, "test", "3"))).isEmpty();
    }

    @Test
    void aContinuationThatBlocksDoesNotHoldUpTheWriter() {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        var blocked = store.create(samples.newJob(ALICE, "1")).thenAccept(result -> {
            entered.countDown();
            await(never);
        });
        hold.countDown();
        await(entered);
        assertThat(createdFor(ALICE, "2").version()).isEqualTo(1);
        assertThat(blocked).isNotDone();
        never.countDown();
        get(blocked);
    }

    @Test
    void theProbeWritesAndReads() {
        store.probe();
        long commits = store.statistics().commits();
        store.probe();
        assertThat(store.statistics().commits()).isEqualTo(commits + 1);
    }

    @Test
    void statisticsCountCommitsAndWrites() {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var before = store.statistics();
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writes.add(store.create(samples.newJob(ALICE, "j" + i)));
        }
        hold.countDown();
        writes.forEach(JobStoreFixture::get);
        var after = store.statistics();
        assertThat(after.commits()).isEqualTo(before.commits() + 1);
        assertThat(after.changes()).isEqualTo(before.changes() + 10);
        assertThat(after.lastBatch()).isEqualTo(10);
        assertThat(after.lastCommit()).isPositive().isLessThanOrEqualTo(after.slowestCommit());
        assertThat(after.totalCommit()).isGreaterThanOrEqualTo(after.slowestCommit());
    }

    @Test
    void aSecondOpenerIsToldWhoHoldsTheStore() throws Exception {
        StoreSettings same = settings().withTimeout(Duration.ofSeconds(1));
        assertThatThrownBy(() -> JobStores.open(same, clock))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE))
                .hasMessageContaining("is in use by")
                .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        assertThat(createdFor(ALICE, "still works").version()).isEqualTo(1);
    }

    @Test
    void closingWritesWhatWaitsAndRefusesWhatComesLater() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        NewJob newJob = samples.newJob(ALICE, "late");
        var late = store.create(newJob);
        Thread closer = Thread.ofVirtual().start(store::close);
        hold.countDown();
        closer.join();
        assertThat(get(late)).isInstanceOf(CreateResult.Created.class);
        assertThat(faultOf(store.create(samples.newJob(ALICE, "too late")))).isEqualTo(FaultCode.STORE_UNAVAILABLE);
        reopen();
        assertThat(store.find(newJob.job().id())).isPresent();
    }

    /** {@code -Djobgate.seed=N} repeats a history that failed. */
    @RepeatedTest(3)
    void anyHistoryOfWritesLeavesWhatThePlainModelLeaves() throws Exception {
        long seed = Long.getLong("jobgate.seed", System.nanoTime());
        try {
            RandomStoreHistory history = new RandomStoreHistory(seed);
            for (int round = 0; round < 12; round++) {
                history.round(store, 40);
                history.compare(store);
                if (round % 4 == 3) {
                    reopen(settings -> settings.withRecentChanges(64).withMaxBatch(1 + (int) (seed & 31)));
                    history.compare(store);
                }
            }
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "the history of seed " + seed + " went wrong; repeat it with -Djobgate.seed=" + seed, e);
        }
    }
}
