// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who waits for a change gives its place to others, and takes its turn again before it goes on. */
class ChangeWaitsTest extends EngineTestBase {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final AtomicInteger paused = new AtomicInteger();
    private final AtomicInteger resumed = new AtomicInteger();

    @Override
    JobEngine engine(JobLimits limits, @Nullable FileStager stager) {
        JobEngine fresh = new JobEngine(
                store, lrms(), stager, null, limits, QUICK, Clock.systemUTC(), new Random(1), new Interlude() {
                    @Override
                    public void begins() {
                        paused.incrementAndGet();
                    }

                    @Override
                    public void ends() {
                        resumed.incrementAndGet();
                    }
                });
        fresh.start();
        return fresh;
    }

    @Test
    void whoFollowsAnOwnersJobsPauses() {
        String alice = ALICE.subject();
        long cursor = engine.lastChange();
        CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(
                () -> engine.awaitChanges(alice, cursor, 10, LONG).changes().size(),
                task -> Thread.ofVirtual().start(task));
        await().atMost(LONG).until(() -> paused.get() == 1);
        assertThat(resumed.get()).isZero();
        engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "one", "Fork", TRUE));
        assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join()).isPositive();
        assertThat(List.of(paused.get(), resumed.get())).containsExactly(1, 1);
        engine.awaitChanges(alice, cursor, 10, LONG);
        assertThat(paused.get()).as("what is there is answered at once").isEqualTo(1);
    }

    @Test
    void whoWaitsForAJobPauses() {
        Job job = submit(TRUE);
        awaitJob(job.id(), one -> !one.localIds().isEmpty());
        long seen = store.find(job.id()).orElseThrow().version();
        CompletableFuture<Job> answer = CompletableFuture.supplyAsync(
                () -> engine.awaitChange(ALICE.subject(), job.id(), seen, LONG).orElseThrow(),
                task -> Thread.ofVirtual().start(task));
        await().atMost(LONG).until(() -> paused.get() == 1);
        lrm.start(job.id());
        assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join().state()).isEqualTo(JobState.ACTIVE);
        assertThat(resumed.get()).isEqualTo(1);
    }
}
