// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jobgate.container.health.SelfLimiter;
import org.jobgate.door.DoorGauge;
import org.jobgate.engine.WorkQueue;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.notify.DeliveryStatistics;
import org.jobgate.store.JobStore;

/**
 * All that is measured, in one registry that Prometheus reads. docs/operate/metrics.md says for each metric what it means and between
 * which two events it is taken.
 */
public final class Metrics implements AutoCloseable {

    /** The text format of Prometheus. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Bucket bounds of everything that is timed: from what a cached read takes to what a long job takes. */
    static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Duration.ofHours(12)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();

    public Metrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbage.bindTo(registry);
        new ResidentMemory().bindTo(registry);
    }

    /** Everything that is measured now, as text. */
    public String scrape() {
        return registry.scrape();
    }

    /** Some of it over the last hour; not begun. */
    public FigureHistory history(Clock clock) {
        return new FigureHistory(registry, clock);
    }

    /** Measures the HTTP side; the figures are read when somebody asks. */
    public HttpMetrics http(HttpMetrics.Load load) {
        return new HttpMetrics(registry, load);
    }

    /** Measures the store and the jobs in it, from now on. */
    public void store(JobStore store) {
        new StoreMetrics(store).bindTo(registry);
        JobMetrics jobs = new JobMetrics(registry);
        store.onCommit(jobs::committed);
    }

    /** Measures the pools of the lifecycle. */
    public void pools(Map<String, WorkQueue> pools) {
        new PoolMetrics(pools).bindTo(registry);
    }

    /** Measures what the self-limiter looks at, and whether new jobs are refused, for whatever reason. */
    public void selfLimiter(SelfLimiter limiter, BooleanSupplier refuses) {
        Gauge.builder("jobgate.new.jobs.refused", refuses, source -> source.getAsBoolean() ? 1 : 0)
                .description("Whether new jobs are refused: the service drains, or has too much to do")
                .strongReference(true)
                .register(registry);
        for (SelfLimiter.Threshold threshold : limiter.thresholds()) {
            Gauge.builder("jobgate.self.limiter.value", limiter, source -> source.value(threshold.setting()))
                    .tag("what", threshold.setting())
                    .description("What the self-limiter has measured")
                    .strongReference(true)
                    .register(registry);
            Gauge.builder("jobgate.self.limiter.threshold", threshold, SelfLimiter.Threshold::most)
                    .tag("what", threshold.setting())
                    .description("From when on it refuses new jobs; 0 for never")
                    .strongReference(true)
                    .register(registry);
        }
    }

    /** Measures the delivery of notifications to clients that subscribed. */
    public void notifications(Supplier<DeliveryStatistics> figures) {
        new NotificationMetrics(figures).bindTo(registry);
    }

    /** Measures the audit records. */
    public void audit(LongSupplier lag, LongSupplier entries, LongSupplier bytes) {
        Gauge.builder("jobgate.audit.lag", lag, LongSupplier::getAsLong)
                .description("Changes of jobs that are not on record yet")
                .strongReference(true)
                .register(registry);
        Gauge.builder("jobgate.audit.entries", entries, LongSupplier::getAsLong)
                .description("Entries in the chain of audit records")
                .strongReference(true)
                .register(registry);
        Gauge.builder("jobgate.audit.bytes", bytes, LongSupplier::getAsLong)
                .description("Size of the audit records on disk")
                .strongReference(true)
                .register(registry);
    }

    /**
     * Counts what became of the spans of traces.
     *
     * @param source where the counts are; somebody else must hold it, or it is forgotten
     * @param outcomes a count for each outcome
     */
    public <T> void spans(T source, Map<String, ToDoubleFunction<T>> outcomes) {
        outcomes.forEach((outcome, count) -> FunctionCounter.builder("jobgate.traces.spans", source, count)
                .tag("outcome", outcome)
                .description("Spans that were sent, or thrown away")
                .register(registry));
    }

    /** Measures the moving of files. */
    public void transfers(Supplier<TransferMetrics.Figures> figures) {
        new TransferMetrics(figures).bindTo(registry);
    }

    /** Measures tickets to Chirp servers. */
    public void chirp(Supplier<ChirpMetrics.Figures> figures) {
        new ChirpMetrics(figures).bindTo(registry);
    }

    /** Measures what a front door says of itself. */
    public void door(String name, List<DoorGauge> gauges) {
        gauges.forEach(gauge -> Gauge.builder("jobgate.door." + gauge.name(), gauge.value(), LongSupplier::getAsLong)
                .tag("door", name)
                .description(gauge.description())
                .strongReference(true)
                .register(registry));
    }

    /**
     * Measures an LRM; answers what takes the age of each of its events when our watch saw it.
     *
     * @param strays how many records from its side were refused
     */
    public Consumer<Duration> lrm(String name, Supplier<LrmHealth> health, LongSupplier strays) {
        LrmMetrics metrics = new LrmMetrics(name, health, strays);
        metrics.bindTo(registry);
        return metrics.eventLag(registry)::record;
    }

    @Override
    public void close() {
        garbage.close();
        registry.close();
    }
}
