// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WatchedFileTest {

    private static final Duration INTERVAL = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("file"), content);
    }

    private WatchedFile<String> watched(Path file) {
        return new WatchedFile<>(
                file,
                lines -> String.join("|", lines),
                new WatchedFile.Watch(INTERVAL, nanos::get, Executors.newVirtualThreadPerTaskExecutor()));
    }

    private void later() {
        nanos.addAndGet(INTERVAL.toNanos());
    }

    @Test
    void theFirstAnswerAfterAnyPauseIsByWhatTheFileSaysNow() throws IOException {
        WatchedFile<String> watched = watched(file("old\n"));
        file("new\n");
        nanos.addAndGet(Duration.ofHours(10).toNanos());
        assertThat(watched.content()).contains("new");
    }

    @Test
    void withinTheIntervalNobodyLooks() throws IOException {
        WatchedFile<String> watched = watched(file("old\n"));
        file("new\n");
        nanos.addAndGet(INTERVAL.toNanos() - 1);
        assertThat(watched.content()).contains("old");
    }

    /** A look that began before the change serves nobody who asks after it by more than the interval. */
    @Test
    @Timeout(300)
    void whoeverAsksWhileAnOlderLookIsOnItsWayWaitsForANewerOne() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        WatchedFile.Reader<String> slow = lines -> {
            if (looks.incrementAndGet() == 2) {
                reading.countDown();
                await(goOn);
            }
            return String.join("|", lines);
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Path file = file("first\n");
            WatchedFile<String> watched =
                    new WatchedFile<>(file, slow, new WatchedFile.Watch(INTERVAL, nanos::get, threads));
            file("second\n");
            later();
            Future<?> early = threads.submit(watched::content);
            assertThat(reading.await(1, TimeUnit.MINUTES)).isTrue();
            file("third\n");
            later();
            Future<String> late = threads.submit(() -> watched.content().orElse("nothing"));
            goOn.countDown();
            assertThat(late.get(1, TimeUnit.MINUTES)).isEqualTo("third");
            early.get(1, TimeUnit.MINUTES);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Timeout(300)
    void oneLookServesAllWhoAskAtOnce() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            WatchedFile<String> watched = new WatchedFile<>(
                    file("old\n"),
                    lines -> String.join("|", lines),
                    new WatchedFile.Watch(INTERVAL, nanos::get, look -> {
                        looks.incrementAndGet();
                        threads.execute(look);
                    }));
            file("new\n");
            later();
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                answers.add(threads.submit(() -> watched.content().orElse("nothing")));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("new");
            }
        }
        assertThat(looks).hasValue(1);
    }

    /** A file server that hangs: what the file says now may be a ban, so nothing is said by what it said before. */
    @Test
    @Timeout(300)
    void whileNoLookEndsThereIsNoContentAndItIsSaid() throws IOException {
        Deque<Runnable> hanging = new ArrayDeque<>();
        WatchedFile<String> watched = new WatchedFile<>(
                file("old\n"),
                lines -> String.join("|", lines),
                new WatchedFile.Watch(INTERVAL, nanos::get, hanging::add));
        later();
        assertThat(watched.content()).isEmpty();
        assertThat(watched.trouble()).get().asString().contains("has not answered for 5 seconds");
        assertThat(hanging).as("one thread hangs at most").hasSize(1);
        hanging.remove().run();
        assertThat(watched.content()).contains("old");
    }

    /** Same size, same time of modification, within one tick of the clock, in place. */
    @Test
    void aChangeThatLeavesSizeAndTimeAsTheyWereIsSeen() throws IOException {
        Path file = file("/CN=Eve\n");
        FileTime time = Files.getLastModifiedTime(file);
        WatchedFile<String> watched = watched(file);
        file("/CN=Bob\n");
        Files.setLastModifiedTime(file, time);
        later();
        assertThat(watched.content()).contains("/CN=Bob");
    }

    /** What a reader throws is the reader's fault or the file's; the watching goes on. */
    @Test
    void aReaderThatFailsIsTroubleAndTheNextGoodFileIsRead() throws IOException {
        Path file = file("good\n");
        WatchedFile<String> watched = new WatchedFile<>(
                file,
                lines -> {
                    if (lines.contains("bad")) {
                        throw new IllegalStateException("a reader that fails");
                    }
                    return String.join("|", lines);
                },
                new WatchedFile.Watch(INTERVAL, nanos::get, Runnable::run));
        file("bad\n");
        later();
        assertThat(watched.content()).contains("good");
        assertThat(watched.trouble()).get().asString().contains("a reader that fails", "What it said before holds.");
        file("better\n");
        later();
        assertThat(watched.content()).contains("better");
        assertThat(watched.trouble()).isEmpty();
    }

    /** An administrator replaces, removes, truncates and rewrites the file all the time; each answer is one that was written whole. */
    @Test
    @Timeout(300)
    void noRaceWithAWriterMakesAnAnswerThatWasNeverWritten() throws Exception {
        String a = IntStream.range(0, 2000).mapToObj(i -> "a" + i).reduce("", (x, y) -> x + y + "\n");
        String b = IntStream.range(0, 1500).mapToObj(i -> "b" + i).reduce("", (x, y) -> x + y + "\n");
        Path file = file(a);
        WatchedFile<String> watched = watched(file);
        String first = watched.content().orElseThrow();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer = threads.submit(() -> {
                for (int i = 0; i < 150; i++) {
                    Path beside = Files.writeString(folder.resolve("beside"), i % 2 == 0 ? b : a);
                    if (i % 3 == 0) {
                        Files.delete(file);
                    }
                    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
                }
                return null;
            });
            String second = b.strip().replace('\n', '|');
            while (!writer.isDone()) {
                later();
                assertThat(watched.content()).get().isIn(first, second);
            }
            writer.get();
        }
        file("end\n");
        later();
        assertThat(watched.content()).contains("end");
        assertThat(watched.trouble()).isEmpty();
    }
}
