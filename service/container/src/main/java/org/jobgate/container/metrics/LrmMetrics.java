// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jobgate.lrm.LrmHealth;

/** Whether an LRM is well, and how far our watch is behind it. */
final class LrmMetrics implements MeterBinder {

    private final String name;
    private final Supplier<LrmHealth> health;
    private final LongSupplier strays;

    LrmMetrics(String name, Supplier<LrmHealth> health, LongSupplier strays) {
        this.name = requireNonNull(name, "name is null");
        this.health = requireNonNull(health, "health is null");
        this.strays = requireNonNull(strays, "strays is null");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("jobgate.lrm.well", this, self -> self.health.get().well() ? 1 : 0)
                .tag("lrm", name)
                .description("1 if the LRM and the watch on it are well")
                .strongReference(true)
                .register(registry);
        TimeGauge.builder(
                        "jobgate.lrm.watch.lag",
                        this,
                        TimeUnit.NANOSECONDS,
                        self -> self.health.get().lag().toNanos())
                .tag("lrm", name)
                .description("How far the watch is behind the LRM's own record")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("jobgate.lrm.stray.records", this, self -> self.strays.getAsLong())
                .tag("lrm", name)
                .description("Records that were refused because they spoke of another account's or another LRM's job")
                .register(registry);
        TimeGauge.builder("jobgate.lrm.poll.age", this, TimeUnit.NANOSECONDS, LrmMetrics::pollAge)
                .tag("lrm", name)
                .description("How long ago the LRM last answered the watch; 0 where it has nothing to ask")
                .strongReference(true)
                .register(registry);
    }

    private double pollAge() {
        Duration age = health.get().pollAge();
        return age == null ? 0 : age.toNanos();
    }

    /** From the LRM's record of an event to our watch's sight of it, for every event since the watch began. */
    Timer eventLag(MeterRegistry registry) {
        return Timer.builder("jobgate.lrm.event.lag")
                .tag("lrm", name)
                .description("From the LRM's record of an event to our watch's sight of it")
                .serviceLevelObjectives(Metrics.BOUNDS)
                .register(registry);
    }
}
