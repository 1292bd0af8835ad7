// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.wire.EventReader;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Followers of streams of events, each on a connection and a virtual thread of its own, and how long the first news of each job took to each
 * of them: from when the request left that made the job.
 */
final class Followers implements Closeable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String EVENTS = "/api/v1/events";

    private final List<HttpsConnection> connections;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, List<Long>> arrivals = new ConcurrentHashMap<>();
    private final AtomicLong events = new AtomicLong();
    private final Reasons refused = new Reasons();
    private final CountDownLatch begun;

    /** Followers that have not begun, with a connection each. */
    Followers(List<HttpsConnection> connections) {
        this.connections = List.copyOf(connections);
        this.begun = new CountDownLatch(connections.size());
    }

    /**
     * Begins, and returns when each has been told where its stream begins.
     *
     * @throws IOException where they have not after this many seconds
     */
    void begin(long seconds) throws IOException, InterruptedException {
        for (HttpsConnection connection : connections) {
            var unused = threads.submit(() -> follow(connection));
        }
        if (!begun.await(seconds, TimeUnit.SECONDS)) {
            throw new IOException(begun.getCount() + " of " + connections.size() + " followers have not begun after "
                    + seconds + " s; refused: " + refused.counts());
        }
    }

    private void follow(HttpsConnection connection) {
        try {
            EventReader reader = connection.follow(EVENTS);
            reader.next();
            begun.countDown();
            while (true) {
                EventReader.Event event = reader.next();
                long now = System.nanoTime();
                JsonNode data = JSON.readTree(event.data());
                if (!data.has("from")) {
                    note(data.path("job").asString(""), now);
                }
                events.incrementAndGet();
            }
        } catch (IOException over) {
            refused.add(over);
        } catch (RefusedException e) {
            refused.add(e);
        }
    }

    private void note(String job, long at) {
        arrivals.compute(job, (id, before) -> {
            List<Long> times = before == null ? new ArrayList<>() : before;
            times.add(at);
            return times;
        });
    }

    /** Events of any kind that came. */
    long events() {
        return events.get();
    }

    /** News of new jobs that came. */
    long news() {
        return arrivals.values().stream().mapToLong(List::size).sum();
    }

    /** How long they took; those of jobs that were made by somebody else are left out. */
    Latencies lags(Map<String, Long> sent) {
        Latencies lags = new Latencies();
        sent.forEach((job, at) -> arrivals.getOrDefault(job, List.of()).forEach(came -> lags.record(came - at)));
        return lags;
    }

    /** Why streams were refused or broke. */
    Reasons refused() {
        return refused;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (HttpsConnection connection : connections) {
            connection.close();
        }
    }
}
