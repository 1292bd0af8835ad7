// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that the process really holds, as Linux counts it. */
final class ResidentMemory implements MeterBinder {

    private static final Path STATUS = Path.of("/proc/self/status");

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("process.resident.memory", ResidentMemory::bytes)
                .baseUnit("bytes")
                .description("Resident memory of the process")
                .register(registry);
    }

    private static double bytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            // not a Linux: a gauge without a number says so
            return Double.NaN;
        }
    }
}
