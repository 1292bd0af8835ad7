// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.ToldEnd;

/** Clients that wait for the ends of jobs by our Wait header, each with a thread and a connection of its own. */
final class Waiters implements AutoCloseable {

    /** The service waits 30 s at most, and the connection for its answer as long. */
    private static final Duration ONE_WAIT = Duration.ofSeconds(20);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final String FIRST_STATE = "Unsubmitted";

    private final List<GramClient> clients;
    private final Queue<GramClient> idle;
    private final ExecutorService threads;
    private final Clock clock;

    private Waiters(List<GramClient> clients, Clock clock) {
        this.clients = List.copyOf(clients);
        this.idle = new ConcurrentLinkedQueue<>(clients);
        this.threads = Executors.newFixedThreadPool(
                clients.size(), Thread.ofPlatform().daemon().name("waiter-", 0).factory());
        this.clock = clock;
    }

    /** So many, not connected yet; as many jobs can be waited for at a time. */
    static Waiters of(Lab lab, int number, Clock clock) throws IOException, GeneralSecurityException {
        SSLContext tls = lab.tls();
        List<GramClient> clients = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            clients.add(lab.client(tls));
        }
        return new Waiters(clients, clock);
    }

    /** Begins to wait for the end of a job, until {@link System#nanoTime} is past the deadline. */
    Future<Optional<ToldEnd>> await(String jobId, long deadline) {
        return threads.submit(() -> {
            GramClient client = idle.remove();
            try {
                return end(client, jobId, deadline);
            } finally {
                idle.add(client);
            }
        });
    }

    private Optional<ToldEnd> end(GramClient client, String jobId, long deadline) throws IOException, RefusedException {
        String seen = FIRST_STATE;
        while (deadline - System.nanoTime() > 0) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            seen = client.viewOnChange(jobId, seen, left.compareTo(ONE_WAIT) < 0 ? left : ONE_WAIT)
                    .state();
            if (ToldEnd.isEnd(seen)) {
                return Optional.of(new ToldEnd(seen, clock.instant()));
            }
        }
        return Optional.empty();
    }

    /** What one was told, when it has ended; of one that broke its reason is told, and nothing else. */
    static Optional<ToldEnd> result(Future<Optional<ToldEnd>> waiter, long deadline) throws InterruptedException {
        try {
            long left = Math.max(0, deadline - System.nanoTime()) + ONE_WAIT.toNanos();
            return waiter.get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Scenario.progress("a client that waited broke: " + e.getCause());
        } catch (TimeoutException e) {
            Scenario.progress("a client that waited did not end in its time");
        }
        return Optional.empty();
    }

    /** Those that wait yet are interrupted by the end of their connections. */
    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (GramClient client : clients) {
            client.close();
        }
        try {
            if (!threads.awaitTermination(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("a client that waits did not end within " + STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the clients that wait were ended", e);
        }
    }
}
