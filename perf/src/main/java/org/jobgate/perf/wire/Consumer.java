// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A consumer of notifications on the loopback interface, by plain HTTP as any program could be one. It keeps of each job when it was first
 * told that the job has ended: a message can come twice.
 *
 * <p>Bounds: 64 KiB a message, 100,000 jobs, 4 messages at a time and 1,000 that wait; a message over one is refused, which the service
 * takes for a failure and repeats; there is no time limit for one that stops midway. Of messages that could not be taken the first ten are
 * kept as sentences. For any number of threads.
 */
public final class Consumer implements AutoCloseable {

    private static final String PATH = "/consumer";
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int MAX_JOBS = 100_000;
    private static final int MAX_TROUBLES = 10;
    private static final int BACKLOG = 256;
    private static final int THREADS = 4;
    private static final int MAX_WAITING = 1_000;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    private final HttpServer server;
    private final Queue<String> troubles = new ArrayBlockingQueue<>(MAX_TROUBLES);
    private final ExecutorService threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().daemon().name("consumer-", 0).factory(),
            (message, full) -> {
                troubles.offer("more than " + MAX_WAITING + " messages waited");
                throw new RejectedExecutionException("more than " + MAX_WAITING + " messages wait");
            });
    private final Clock clock;
    private final Map<String, ToldEnd> ends = new ConcurrentHashMap<>();

    private Consumer(HttpServer server, Clock clock) {
        this.server = server;
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Listens at a free port from now on. */
    public static Consumer open(Clock clock) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Consumer consumer = new Consumer(HttpServer.create(anyPort, BACKLOG), clock);
        consumer.server.createContext(PATH, consumer::take);
        consumer.server.setExecutor(consumer.threads);
        consumer.server.start();
        return consumer;
    }

    /** What a subscription must name. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
    }

    /** When it was first told that this job has ended; empty as long as it was not. */
    public Optional<ToldEnd> end(String jobId) {
        return Optional.ofNullable(ends.get(jobId));
    }

    /** Why the first messages that could not be taken were refused, a sentence each; empty where all were taken. */
    public Iterable<String> troubles() {
        return troubles;
    }

    private void take(HttpExchange exchange) throws IOException {
        try {
            byte[] message = exchange.getRequestBody().readNBytes(MAX_MESSAGE_BYTES + 1);
            exchange.sendResponseHeaders(isKept(message, clock.instant()) ? OK : BAD_REQUEST, -1);
        } catch (IOException e) {
            troubles.offer("a message broke off: " + e.getMessage());
            throw e;
        } finally {
            exchange.close();
        }
    }

    private boolean isKept(byte[] message, Instant at) {
        if (message.length > MAX_MESSAGE_BYTES || ends.size() >= MAX_JOBS) {
            troubles.offer(
                    "a message of more than " + MAX_MESSAGE_BYTES + " bytes, or of more than " + MAX_JOBS + " jobs");
            return false;
        }
        try {
            Notification told = Notification.parse(new String(message, StandardCharsets.UTF_8));
            if (ToldEnd.isEnd(told.state())) {
                ends.putIfAbsent(told.jobId(), new ToldEnd(told.state(), at));
            }
            return true;
        } catch (IOException e) {
            troubles.offer(e.getMessage());
            return false;
        }
    }

    /** Stops listening at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
