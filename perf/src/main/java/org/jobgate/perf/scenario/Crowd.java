// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.wire.RefusedException;

/**
 * Many clients at once, each on a connection and a virtual thread of its own, looping one read. All connect first, as far as they are let;
 * then the clock starts.
 */
final class Crowd {

    private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(200);

    private static final int CONNECT_TRIES = 6;

    private final List<? extends Client> clients;

    Crowd(List<? extends Client> clients) {
        this.clients = List.copyOf(clients);
    }

    /**
     * Each connects and reads once, which counts for its failure only. One whose connection is closed, or that has waited too long, tries again: thousands of
     * handshakes take longer than a client waits for one.
     */
    Reasons connect() throws InterruptedException {
        Reasons refused = new Reasons();
        all(client -> {
            for (int tries = 1; ; tries++) {
                try {
                    client.read();
                    return;
                } catch (RefusedException e) {
                    refused.add(e);
                    return;
                } catch (IOException e) {
                    if (tries == CONNECT_TRIES) {
                        refused.add(e);
                        return;
                    }
                    Thread.sleep(PAUSE_AFTER_REFUSAL);
                }
            }
        });
        return refused;
    }

    /** Each reads again and again until the pace is over; a refused one waits a little, as a client would. */
    Outcome loop(Pace pace) throws InterruptedException {
        Latencies latencies = Latencies.shared();
        Reasons refused = new Reasons();
        AtomicLong last = new AtomicLong(pace.begin());
        LongAdder inTime = new LongAdder();
        all(client -> {
            for (OptionalLong due = pace.next(); due.isPresent(); due = pace.next()) {
                try {
                    client.read();
                    long now = System.nanoTime();
                    latencies.record(now - due.getAsLong());
                    if (!pace.isOver()) {
                        inTime.increment();
                    }
                    last.accumulateAndGet(now, Math::max);
                } catch (IOException | RefusedException e) {
                    refused.add(e);
                    Thread.sleep(PAUSE_AFTER_REFUSAL);
                }
            }
        });
        return new Outcome((last.get() - pace.begin()) / 1e9, inTime.sum() / pace.seconds(), latencies, refused);
    }

    private void all(Task task) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> parts = new ArrayList<>();
            for (Client client : clients) {
                parts.add(threads.submit(() -> {
                    task.run(client);
                    return null;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client of the crowd broke: " + e.getCause(), e);
        }
    }

    /** One client with a connection of its own; a failed one is made anew by the next read. */
    @FunctionalInterface
    interface Client {
        void read() throws IOException, RefusedException;
    }

    @FunctionalInterface
    private interface Task {
        void run(Client client) throws InterruptedException;
    }

    /**
     * What came of a run.
     *
     * @param seconds from its begin to the last reply
     * @param perSecondInTime replies that came before the run was over, per second; those of a crowd that were still waited for then can take
     *     many times as long as the run
     */
    record Outcome(double seconds, double perSecondInTime, Latencies latencies, Reasons refused) {

        Outcome {
            requireNonNull(latencies, "latencies is null");
            requireNonNull(refused, "refused is null");
        }

        double perSecond() {
            return seconds > 0 ? latencies.count() / seconds : 0;
        }
    }
}
