// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

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
        Meters<Figures> meters = new Meters<>(registry, figures);
        meters.gauge("jobgate.chirp.tickets.held", Figures::held, "Jobs that have tickets to Chirp servers");
        meters.gauge(
                "jobgate.chirp.tickets.waiting",
                Figures::waiting,
                "Jobs that wait for their turn to get a ticket, or to lose it");
        meters.counter("jobgate.chirp.tickets.made", Figures::made, "Tickets that were made, renewed ones among them");
        meters.counter(
                "jobgate.chirp.tickets.failed",
                Figures::failed,
                "Tries to make or withdraw a ticket that are repeated");
        meters.counter(
                "jobgate.chirp.tickets.refused", Figures::refused, "Jobs whose ticket a Chirp server did not give");
        meters.counter("jobgate.chirp.tickets.withdrawn", Figures::withdrawn, "Jobs whose tickets were withdrawn");
    }
}
