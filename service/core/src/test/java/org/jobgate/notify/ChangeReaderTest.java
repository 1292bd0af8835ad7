// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.junit.jupiter.api.Test;

/** The reader's place costs a transaction where it is saved: that is once a second, however fast changes come, and at the end. */
class ChangeReaderTest {

    private final Stream stream = new Stream();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> seen = new CopyOnWriteArrayList<>();
    private final DeliveryProgress progress = new DeliveryProgress();
    private final ChangeReader reader = new ChangeReader(
            stream, "reader", progress, change -> true, change -> seen.add(change.sequence()), nanos::get);

    @Test
    void thePlaceIsNotSavedAfterEachChangeButAtTheEnd() {
        reader.start();
        for (int i = 1; i <= 50; i++) {
            int number = i;
            stream.add();
            await().pollInterval(Duration.ofMillis(1)).until(() -> seen.size() == number);
        }
        assertThat(stream.saved).isEmpty();

        reader.close();

        assertThat(stream.saved).containsExactly(50L);
    }

    @Test
    void aSecondLaterItIsSaved() {
        reader.start();
        stream.add();
        await().until(() -> seen.size() == 1);
        assertThat(stream.saved).isEmpty();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        await().until(() -> stream.saved.equals(List.of(1L)));
        reader.close();
    }

    @Test
    void itIsNeverSavedPastWhatIsNotDelivered() {
        progress.begin(2);
        reader.start();
        stream.add();
        stream.add();
        stream.add();
        await().until(() -> seen.size() == 3);

        reader.close();

        assertThat(stream.saved).containsExactly(1L);
    }

    /** Changes that come one by one. */
    private static final class Stream implements JobChanges {

        private final List<Change> changes = new CopyOnWriteArrayList<>();
        private final List<Long> saved = new CopyOnWriteArrayList<>();
        private volatile Runnable listener = () -> {};

        void add() {
            JobId job = new JobId(UUID.randomUUID());
            changes.add(new Change(
                    changes.size() + 1L,
                    job,
                    "/CN=a",
                    1,
                    Instant.EPOCH,
                    null,
                    null,
                    JobState.UNSUBMITTED,
                    false,
                    null));
            listener.run();
        }

        @Override
        public long last() {
            return changes.size();
        }

        @Override
        public List<Change> after(long cursor, int limit) {
            return changes.stream()
                    .filter(change -> change.sequence() > cursor)
                    .limit(limit)
                    .toList();
        }

        @Override
        public long cursor(String name) {
            return 0;
        }

        @Override
        public CompletableFuture<Void> saveCursor(String name, long sequence) {
            saved.add(sequence);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onCommit(Runnable told) {
            listener = told;
        }

        @Override
        public Optional<Job> job(JobId id, String owner) {
            return Optional.empty();
        }

        @Override
        public Optional<JobDescription> description(JobId id, String owner) {
            return Optional.empty();
        }
    }
}
