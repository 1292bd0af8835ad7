// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

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
        Meters<Figures> meters = new Meters<>(registry, figures);
        meters.gauge("jobgate.transfers.active", Figures::active, "Transfers on their way");
        meters.gauge("jobgate.transfers.waiting", Figures::waiting, "Transfers that wait for their turn");
        meters.counter("jobgate.transfers.made", Figures::made, "Attempts that succeeded");
        meters.counter("jobgate.transfers.failed", Figures::failed, "Transfers that were given up");
        meters.counter("jobgate.transfers.retried", Figures::retried, "Attempts that failed and are repeated");
        meters.counter("jobgate.transfers.bytes", Figures::bytes, "Bytes that arrived where they were to go");
    }
}
