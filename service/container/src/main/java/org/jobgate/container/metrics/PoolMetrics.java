// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jobgate.engine.WorkQueue;

/** The workers of each stage of the lifecycle. */
final class PoolMetrics implements MeterBinder {

    private final Map<String, WorkQueue> pools;

    PoolMetrics(Map<String, WorkQueue> pools) {
        this.pools = requireNonNull(pools, "pools is null");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        pools.forEach((name, pool) -> {
            gauge(
                    registry,
                    "jobgate.pool.workers",
                    "Workers that the pool may use",
                    name,
                    pool,
                    WorkQueue.Figures::workers);
            gauge(registry, "jobgate.pool.busy", "Workers that work on a batch", name, pool, WorkQueue.Figures::busy);
            gauge(registry, "jobgate.pool.queue", "Jobs that wait for a worker", name, pool, WorkQueue.Figures::queued);
            gauge(
                    registry,
                    "jobgate.pool.owners",
                    "Owners of the jobs that wait",
                    name,
                    pool,
                    WorkQueue.Figures::owners);
            FunctionCounter.builder(
                            "jobgate.pool.batches", pool, p -> p.figures().batches())
                    .tag("pool", name)
                    .description("Batches that were worked on")
                    .register(registry);
        });
    }

    private static void gauge(
            MeterRegistry registry,
            String metric,
            String description,
            String name,
            WorkQueue pool,
            ToDoubleFunction<WorkQueue.Figures> figure) {
        Gauge.builder(metric, pool, p -> figure.applyAsDouble(p.figures()))
                .tag("pool", name)
                .description(description)
                .register(registry);
    }
}
