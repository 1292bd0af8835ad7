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
import org.jobgate.notify.DeliveryStatistics;

/** Figures of the delivery of notifications to clients that subscribed. */
final class NotificationMetrics implements MeterBinder {

    private final Supplier<DeliveryStatistics> figures;

    NotificationMetrics(Supplier<DeliveryStatistics> figures) {
        this.figures = requireNonNull(figures, "figures is null");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "delivered", DeliveryStatistics::delivered, "Messages that consumers took");
        counter(registry, "failed", DeliveryStatistics::failed, "Attempts to deliver a message that failed");
        counter(registry, "left.out", DeliveryStatistics::leftOut, "Messages that were never sent");
        counter(registry, "given.up", DeliveryStatistics::givenUp, "Consumers that were given up");
        Gauge.builder(
                        "jobgate.notifications.waiting",
                        figures,
                        source -> source.get().waiting())
                .description("Consumers that have messages waiting or on their way")
                .strongReference(true)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, ToDoubleFunction<DeliveryStatistics> value, String description) {
        FunctionCounter.builder("jobgate.notifications." + name, figures, source -> value.applyAsDouble(source.get()))
                .description(description)
                .register(registry);
    }
}
