// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.container.health.Cached;
import org.jobgate.job.JobState;
import org.jobgate.store.JobStore;

/** The store's writer, and how many jobs are in each state. */
final class StoreMetrics implements MeterBinder {

    private final JobStore store;
    private final Cached<Map<JobState, Long>> jobs;

    StoreMetrics(JobStore store) {
        this.store = requireNonNull(store, "store is null");
        // one scrape reads every state: one look is enough for it
        this.jobs = new Cached<>(store::countByState, Duration.ofSeconds(1), System::nanoTime);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (JobState state : JobState.values()) {
            if (!state.isTerminal()) {
                Gauge.builder("jobgate.jobs", this, self -> self.jobs.get().getOrDefault(state, 0L))
                        .tag("state", state.name().toLowerCase(Locale.ROOT))
                        .description("Live jobs in this state")
                        .strongReference(true)
                        .register(registry);
            }
        }
        FunctionTimer.builder(
                        "jobgate.store.commit",
                        store,
                        s -> s.statistics().commits(),
                        s -> s.statistics().totalCommit().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description("Transactions of the group-commit writer, from begin to forced to disk")
                .register(registry);
        FunctionCounter.builder(
                        "jobgate.store.changes", store, s -> s.statistics().changes())
                .description("Writes in those transactions")
                .register(registry);
        Gauge.builder("jobgate.store.queue", store, s -> s.statistics().queued())
                .description("Writes that wait for the writer")
                .register(registry);
        Gauge.builder("jobgate.store.batch.last", store, s -> s.statistics().lastBatch())
                .description("Writes in the newest transaction")
                .register(registry);
        TimeGauge.builder(
                        "jobgate.store.commit.last",
                        store,
                        TimeUnit.NANOSECONDS,
                        s -> s.statistics().lastCommit().toNanos())
                .description("How long the newest transaction took")
                .register(registry);
        TimeGauge.builder(
                        "jobgate.store.commit.slowest",
                        store,
                        TimeUnit.NANOSECONDS,
                        s -> s.statistics().slowestCommit().toNanos())
                .description("How long the slowest transaction since the start took")
                .register(registry);
    }
}
