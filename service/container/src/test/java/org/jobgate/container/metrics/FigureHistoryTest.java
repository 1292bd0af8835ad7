// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The last hour of some metrics. */
class FigureHistoryTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong seconds = new AtomicLong();

    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(seconds.get());
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    };

    private Counter transitions(String from, String to) {
        return Counter.builder("jobgate.job.transitions")
                .tags("from", from, "to", to)
                .register(registry);
    }

    @Test
    void aPointSaysWhatWasBetweenTheOneBeforeAndIt() {
        AtomicLong active = new AtomicLong(3);
        Gauge.builder("jobgate.jobs", active, AtomicLong::get)
                .tag("state", "active")
                .register(registry);
        Gauge.builder("jobgate.jobs", () -> 4).tag("state", "pending").register(registry);
        Timer requests =
                Timer.builder("jobgate.http.requests").tag("door", "rest").register(registry);
        transitions("none", "unsubmitted").increment(100);
        try (FigureHistory history = new FigureHistory(registry, clock)) {
            history.measure();
            assertThat(history.points()).isEmpty();
            transitions("none", "unsubmitted").increment(20);
            transitions("active", "done").increment(5);
            transitions("active", "failed").increment(5);
            transitions("pending", "active").increment(7);
            requests.record(Duration.ofMillis(10));
            requests.record(Duration.ofMillis(30));
            seconds.addAndGet(10);
            history.measure();
            assertThat(history.points())
                    .containsExactly(new FigureHistory.Point(Instant.ofEpochSecond(10), 7, 3, 2, 1, 0.2, 20, 0));
        }
    }

    @Test
    void thePointsOfAnHourAreKept() {
        try (FigureHistory history = new FigureHistory(registry, clock)) {
            for (int i = 0; i <= FigureHistory.MOST + 5; i++) {
                history.measure();
                seconds.addAndGet(10);
            }
            assertThat(history.points()).hasSize(FigureHistory.MOST);
            assertThat(history.points().getLast().at())
                    .isEqualTo(Instant.ofEpochSecond(10L * (FigureHistory.MOST + 5)));
        }
    }
}
