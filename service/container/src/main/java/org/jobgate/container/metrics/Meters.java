// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Registers meters that are all read from figures of one kind.
 *
 * @param figures gives them as they are now, each time that a meter is read
 */
record Meters<F>(MeterRegistry registry, Supplier<F> figures) {

    /** Something that rises and falls. */
    void gauge(String name, ToDoubleFunction<F> value, String description) {
        Gauge.builder(name, figures, source -> value.applyAsDouble(source.get()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    /** Something that only rises. The caller keeps {@link #figures}, or the meter ends with them. */
    void counter(String name, ToDoubleFunction<F> value, String description) {
        FunctionCounter.builder(name, figures, source -> value.applyAsDouble(source.get()))
                .description(description)
                .register(registry);
    }
}
