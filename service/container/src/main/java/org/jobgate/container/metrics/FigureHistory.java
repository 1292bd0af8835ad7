// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few of the metrics over the last hour, for who looks at the gateway without a Prometheus: one point every ten seconds, 360 at most. For
 * any number of threads.
 */
public final class FigureHistory implements AutoCloseable {

    /** Between two points. */
    public static final Duration EVERY = Duration.ofSeconds(10);

    static final int MOST = 360;

    private static final Logger LOG = LoggerFactory.getLogger(FigureHistory.class);
    private static final String TRANSITIONS = "jobgate.job.transitions";
    private static final Set<String> OVER = Set.of("done", "failed", "cancelled");

    private final MeterRegistry registry;
    private final Clock clock;
    private final Deque<Point> points = new ArrayDeque<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("figures").factory());
    /** Used only by the one thread that measures. */
    private @Nullable Sums before;

    FigureHistory(MeterRegistry registry, Clock clock) {
        this.registry = requireNonNull(registry, "registry is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * What was measured between the point before and this one.
     *
     * @param live jobs that were not over then
     * @param active jobs that ran then
     * @param accepted jobs per second
     * @param ended jobs per second
     * @param requests per second
     * @param requestMs mean time of a request, in milliseconds; 0 where there was none
     * @param commitMs mean time of a transaction of the store, in milliseconds; 0 where there was none
     */
    public record Point(
            Instant at,
            long live,
            long active,
            double accepted,
            double ended,
            double requests,
            double requestMs,
            double commitMs) {

        public Point {
            requireNonNull(at, "at is null");
        }
    }

    private record Sums(
            Instant at,
            double accepted,
            double ended,
            double requests,
            double requestMs,
            double commits,
            double commitMs) {}

    /** Measures from now on. */
    public void start() {
        var unused = timer.scheduleAtFixedRate(this::measure, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The points, the oldest first. */
    public List<Point> points() {
        synchronized (points) {
            return List.copyOf(points);
        }
    }

    /** Takes one point; the first call only begins. By one thread at a time: it asks the store, for which no reader waits. */
    void measure() {
        try {
            Sums now = sums();
            Sums last = before;
            before = now;
            if (last != null && now.at().isAfter(last.at())) {
                add(point(last, now));
            }
        } catch (RuntimeException e) {
            // the next one is tried all the same
            LOG.warn("The figures of this moment are missing", e);
        }
    }

    private void add(Point point) {
        synchronized (points) {
            points.addLast(point);
            if (points.size() > MOST) {
                points.removeFirst();
            }
        }
    }

    private Point point(Sums last, Sums now) {
        double seconds = Duration.between(last.at(), now.at()).toMillis() / 1_000.0;
        double requests = now.requests() - last.requests();
        double commits = now.commits() - last.commits();
        return new Point(
                now.at(),
                jobs(null),
                jobs("active"),
                (now.accepted() - last.accepted()) / seconds,
                (now.ended() - last.ended()) / seconds,
                requests / seconds,
                requests > 0 ? (now.requestMs() - last.requestMs()) / requests : 0,
                commits > 0 ? (now.commitMs() - last.commitMs()) / commits : 0);
    }

    private Sums sums() {
        double accepted = 0;
        double ended = 0;
        for (Counter counter : registry.find(TRANSITIONS).counters()) {
            accepted += "none".equals(counter.getId().getTag("from")) ? counter.count() : 0;
            ended += OVER.contains(String.valueOf(counter.getId().getTag("to"))) ? counter.count() : 0;
        }
        double requests = 0;
        double requestMs = 0;
        for (Timer requestTimer : registry.find("jobgate.http.requests").timers()) {
            requests += requestTimer.count();
            requestMs += requestTimer.totalTime(TimeUnit.MILLISECONDS);
        }
        FunctionTimer commit = registry.find("jobgate.store.commit").functionTimer();
        return new Sums(
                clock.instant(),
                accepted,
                ended,
                requests,
                requestMs,
                commit == null ? 0 : commit.count(),
                commit == null ? 0 : commit.totalTime(TimeUnit.MILLISECONDS));
    }

    /** In this state, or in all live ones. */
    private long jobs(@Nullable String state) {
        double sum = 0;
        for (Gauge gauge : registry.find("jobgate.jobs").gauges()) {
            if (state == null || state.equals(gauge.getId().getTag("state"))) {
                sum += gauge.value();
            }
        }
        return Math.round(sum);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
