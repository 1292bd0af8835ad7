// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The moving of files. */
public final class TransferMetrics implements MeterBinder {

    private final Supplier<Figures> figures;

    TransferMetrics(Supplier<Figures> figures) {
        this.figures = requireNonNull(figures, "figures is null");
    }

    /**
     * What is measured.
     *
     * @param made attempts that succeeded
     * @param failed transfers that were given up
     * @param retried attempts that failed and are repeated
     */
    public record Figures(int active, int waiting, long made, long failed, long retried, long bytes) {}

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "jobgate.transfers.active", Figures::active, "Transfers on their way");
        gauge(registry, "jobgate.transfers.waiting", Figures::waiting, "Transfers that wait for their turn");
        counter(registry, "jobgate.transfers.made", Figures::made, "Attempts that succeeded");
        counter(registry, "jobgate.transfers.failed", Figures::failed, "Transfers that were given up");
        counter(registry, "jobgate.transfers.retried", Figures::retried, "Attempts that failed and are repeated");
        counter(registry, "jobgate.transfers.bytes", Figures::bytes, "Bytes that arrived where they were to go");
    }

    private void gauge(MeterRegistry registry, String name, ToDoubleFunction<Figures> value, String description) {
        Gauge.builder(name, figures, source -> value.applyAsDouble(source.get()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void counter(MeterRegistry registry, String name, ToDoubleFunction<Figures> value, String description) {
        FunctionCounter.builder(name, figures, source -> value.applyAsDouble(source.get()))
                .description(description)
                .register(registry);
    }
}
