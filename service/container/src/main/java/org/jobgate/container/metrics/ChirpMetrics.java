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

/** Tickets of jobs to Chirp servers. */
public final class ChirpMetrics implements MeterBinder {

    private final Supplier<Figures> figures;

    ChirpMetrics(Supplier<Figures> figures) {
        this.figures = requireNonNull(figures, "figures is null");
    }

    /**
     * What is measured.
     *
     * @param held jobs that have tickets
     * @param waiting jobs that wait for their turn
     * @param made tickets that were made
     * @param failed tries that are repeated
     * @param refused jobs whose ticket a server did not give
     * @param withdrawn jobs whose tickets were withdrawn
     */
    public record Figures(int held, int waiting, long made, long failed, long refused, long withdrawn) {}

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "jobgate.chirp.tickets.held", Figures::held, "Jobs that have tickets to Chirp servers");
        gauge(
                registry,
                "jobgate.chirp.tickets.waiting",
                Figures::waiting,
                "Jobs that wait for their turn to get a ticket, or to lose it");
        counter(
                registry,
                "jobgate.chirp.tickets.made",
                Figures::made,
                "Tickets that were made, renewed ones among them");
        counter(
                registry,
                "jobgate.chirp.tickets.failed",
                Figures::failed,
                "Tries to make or withdraw a ticket that are repeated");
        counter(
                registry,
                "jobgate.chirp.tickets.refused",
                Figures::refused,
                "Jobs whose ticket a Chirp server did not give");
        counter(registry, "jobgate.chirp.tickets.withdrawn", Figures::withdrawn, "Jobs whose tickets were withdrawn");
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
