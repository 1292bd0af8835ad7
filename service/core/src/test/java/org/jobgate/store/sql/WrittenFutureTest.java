// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.job.Job;
import org.jobgate.limits.Interlude;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller that waits for a write is counted as waiting, in whichever way it waits. */
class WrittenFutureTest {

    private final List<String> told = new CopyOnWriteArrayList<>();

    private final Interlude interlude = new Interlude() {
        @Override
        public void begins() {
            told.add("begins");
        }

        @Override
        public void ends() {
            told.add("ends");
        }
    };

    private WrittenFuture<String> completedSoon() {
        WrittenFuture<String> future = new WrittenFuture<>(interlude);
        var unused = Thread.startVirtualThread(() -> {
            while (told.isEmpty()) {
                Thread.onSpinWait();
            }
            future.complete("written");
        });
        return future;
    }

    @Test
    void aWaitingThreadSaysSoAndSaysWhenItGoesOn() throws Exception {
        assertThat(completedSoon().join()).isEqualTo("written");
        assertThat(told).containsExactly("begins", "ends");
        told.clear();
        assertThat(completedSoon().get()).isEqualTo("written");
        assertThat(told).containsExactly("begins", "ends");
        told.clear();
        assertThat(completedSoon().get(1, TimeUnit.MINUTES)).isEqualTo("written");
        assertThat(told).containsExactly("begins", "ends");
    }

    @Test
    void soDoesOneThatWaitsForWhatIsMadeOfTheWrite() {
        CompletableFuture<Integer> length =
                completedSoon().thenApply(String::length).thenCompose(CompletableFuture::completedFuture);
        assertThat(length.join()).isEqualTo(7);
        assertThat(told).containsExactly("begins", "ends");
    }

    @Test
    void aThreadThatNeedNotWaitSaysNothing() {
        WrittenFuture<String> future = new WrittenFuture<>(interlude);
        future.complete("written");
        assertThat(future.join()).isEqualTo("written");
        assertThat(told).isEmpty();
    }

    @Test
    void itGoesOnAfterAFailureAndAfterATimeout() {
        WrittenFuture<String> late = new WrittenFuture<>(interlude);
        assertThatThrownBy(() -> late.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(told).containsExactly("begins", "ends");
        told.clear();
        WrittenFuture<String> failed = new WrittenFuture<>(interlude);
        var unused = Thread.startVirtualThread(() -> {
            while (told.isEmpty()) {
                Thread.onSpinWait();
            }
            failed.completeExceptionally(new IllegalStateException("no room on the disk"));
        });
        assertThatThrownBy(failed::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("no room on the disk");
        assertThat(told).containsExactly("begins", "ends");
        assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
    }

    /** What hangs on a write is not run by the thread that writes, whenever a thread begins to wait for the same. */
    @Test
    void whoFollowsIsNotTakenForAThreadThatWaits() {
        List<WrittenFuture<String>> futures = new ArrayList<>();
        List<Boolean> seen = new ArrayList<>();
        Interlude looking = new Interlude() {
            @Override
            public void begins() {}

            @Override
            public void ends() {}

            @Override
            public void untilDone(CompletionStage<?> awaited) {
                WrittenFuture<String> future = futures.getFirst();
                seen.add(future.hasFollowers());
                var unused = future.thenRun(() -> {});
                seen.add(future.hasFollowers());
                future.complete("written");
            }
        };
        futures.add(new WrittenFuture<>(looking));
        assertThat(futures.getFirst().join()).isEqualTo("written");
        assertThat(seen).containsExactly(false, true);
    }

    /** The store itself makes such futures of its writes. */
    @Test
    void aThreadThatWaitsForAWriteOfTheStoreSaysSo(@TempDir Path directory) {
        Clock clock = new RisingClock(Instant.parse("2026-11-25T19:00:00Z"));
        StoreSettings settings = StoreSettings.of("sqlite:" + directory.resolve("jobs.db"));
        try (JobStore store = JobStores.open(settings, clock, interlude)) {
            NewJob job = new SampleJobs(7).newJob("/CN=Alice", "first");
            assertThat(store.create(job).join()).isInstanceOf(CreateResult.Created.class);
            told.clear();
            CompletableFuture<Optional<Job>> updated = store.update(job.job().id(), before -> {
                await().until(() -> !told.isEmpty());
                return List.of();
            });
            updated.join();
            assertThat(told).containsExactly("begins", "ends");
        }
    }
}
