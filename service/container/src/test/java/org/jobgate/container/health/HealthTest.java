// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.container.config.DataSize;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthTest {

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong nanos = new AtomicLong();

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    private Health health(Map<String, HealthCheck> checks) {
        return new Health(checks, () -> false, executor, nanos::get);
    }

    @Test
    void oneUnwellPartMakesTheServiceUnwell() {
        Health.Report report = health(Map.of(
                        "a", () -> HealthCheck.Finding.well(Map.of()),
                        "b", () -> HealthCheck.Finding.unwell("broken")))
                .report();
        assertThat(report.status()).isEqualTo(Health.Status.UNWELL);
        assertThat(report.asMap().toString()).contains("status=unwell", "why=broken");
    }

    @Test
    void aCheckThatThrowsIsUnwellAndHarmsNoOther() {
        Health.Report report = health(Map.of(
                        "a", () -> HealthCheck.Finding.well(Map.of()),
                        "b",
                                () -> {
                                    throw new IllegalStateException("boom");
                                }))
                .report();
        assertThat(report.findings().get("a")).isEqualTo(HealthCheck.Finding.well(Map.of()));
        assertThat(report.findings().get("b"))
                .isEqualTo(HealthCheck.Finding.unwell("The look at b failed; the log says why."));
    }

    @Test
    void aCheckThatHangsIsUnwellAfterItsTime() {
        CountDownLatch never = new CountDownLatch(1);
        Health.Report report = health(Map.of("hung", () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return HealthCheck.Finding.well(Map.of());
                }))
                .report();
        assertThat(report.findings().get("hung"))
                .isEqualTo(HealthCheck.Finding.unwell("The look at hung took longer than 5 seconds."));
    }

    @Test
    void askingOftenLooksOnce() {
        AtomicInteger looks = new AtomicInteger();
        Health health = health(Map.of("a", () -> {
            looks.incrementAndGet();
            return HealthCheck.Finding.well(Map.of());
        }));
        health.report();
        health.report();
        assertThat(looks).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        health.report();
        assertThat(looks).hasValue(2);
    }

    @Test
    void aFullDiskIsUnwell(@TempDir Path folder) {
        HealthCheck.Finding full =
                HealthChecks.disk(folder, new DataSize(Long.MAX_VALUE)).look();
        assertThat(full.well()).isFalse();
        assertThat(full.why()).contains("state.minFreeSpace");
        assertThat(HealthChecks.disk(folder, new DataSize(1)).look().well()).isTrue();
    }
}
