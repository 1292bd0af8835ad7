// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfLimiterTest {

    private final AtomicReference<Double> load = new AtomicReference<>(39.5);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    private SelfLimiter limiter(long most) {
        return new SelfLimiter(
                List.of(
                        new SelfLimiter.Threshold("load1", "the load average of 1 minute", most, () -> {
                            looks.incrementAndGet();
                            return requireNonNull(load.get());
                        }),
                        new SelfLimiter.Threshold("activeJobs", "the number of live jobs", 0, () -> 7),
                        new SelfLimiter.Threshold("swap", "the percentage of swap space in use", 90, () -> Double.NaN)),
                Duration.ofSeconds(10),
                nanos::get);
    }

    @Test
    void aValueOverItsThresholdIsToldWithBoth() {
        SelfLimiter limiter = limiter(40);
        assertThat(limiter.overload()).isEmpty();

        load.set(40.0);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(limiter.overload()).as("as much as may be").isEmpty();

        load.set(52.25);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(limiter.overload()).contains("the load average of 1 minute is 52.25 (selfLimiter.load1 = 40).");
    }

    @Test
    void aCrowdOfSubmissionsCostsOneLook() {
        SelfLimiter limiter = limiter(40);
        for (int i = 0; i < 1000; i++) {
            assertThat(limiter.overload()).isEmpty();
        }
        assertThat(looks).hasValue(1);
    }

    @Test
    void withoutAThresholdNothingIsOver() {
        load.set(1_000_000.0);
        assertThat(new SelfLimiter(
                                List.of(new SelfLimiter.Threshold(
                                        "load1", "the load", 0, () -> requireNonNull(load.get()))),
                                Duration.ofSeconds(1),
                                nanos::get)
                        .overload())
                .isEmpty();
    }

    @Test
    void theCheckShowsTheValuesTheReasonAndWhatCannotBeMeasured() {
        load.set(52.0);
        HealthCheck.Finding finding = limiter(40).check().look();

        assertThat(finding.well()).isTrue();
        assertThat(finding.why())
                .isEqualTo(
                        "New jobs are refused: the load average of 1 minute is 52 (selfLimiter.load1 = 40)."
                                + " selfLimiter.swap has no effect: the percentage of swap space in use cannot be measured here.");
        assertThat(finding.figures()).containsEntry("load1", 52.0).containsEntry("activeJobs", 7.0);
        assertThat(finding.figures()).doesNotContainKey("swap");
    }

    @Test
    void linuxTellsOfTheMachine(@TempDir Path proc) throws IOException {
        Files.writeString(proc.resolve("loadavg"), "0.52 1.25 3.00 2/345 6789\n");
        Files.writeString(proc.resolve("meminfo"), """
                MemTotal:        8000000 kB
                MemFree:          100000 kB
                MemAvailable:    2000000 kB
                SwapTotal:             0 kB
                SwapFree:              0 kB
                """);
        Measures measures = new Measures(proc);

        assertThat(measures.load(0)).isEqualTo(0.52);
        assertThat(measures.load(2)).isEqualTo(3.0);
        assertThat(measures.used("MemTotal", "MemAvailable")).isEqualTo(75.0);
        assertThat(measures.used("SwapTotal", "SwapFree")).isZero();
        assertThat(measures.used("NoSuch", "MemFree")).isNaN();
        assertThat(new Measures(proc.resolve("none")).load(0)).isNaN();
        assertThat(Measures.disk(proc)).isBetween(0.0, 100.0);
        assertThat(Measures.disk(proc.resolve("none"))).isNaN();
    }
}
