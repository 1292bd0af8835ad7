// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** What one createManagedJob costs the server, from the HTTP request to the HTTP reply, without TLS and without a real store. */
class CreateCostIT {

    private static final int WARM_UP = 15_000;
    private static final int MEASURED = 10_000;
    private static final long MOST_NANOS = 1_000_000;

    @Test
    void aCreateCostsLessThanAMillisecondOfProcessorTime() {
        try (Door door = new Door(Clock.systemUTC())) {
            String request = Capture.read("05").request().replaceFirst("<JobID>.*</JobID>", "");
            for (int i = 0; i < WARM_UP; i++) {
                door.post("ManagedJobFactoryService", request);
            }

            long before = serverNanos();
            for (int i = 0; i < MEASURED; i++) {
                door.post("ManagedJobFactoryService", request);
            }
            long each = (serverNanos() - before) / MEASURED;

            System.out.printf("createManagedJob: %d us of the server's processor time%n", each / 1000);
            assertThat(each).isLessThan(MOST_NANOS);
        }
    }

    /** The processor time of Jetty's threads. */
    private static long serverNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("qtp"))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.threadId())))
                .sum();
    }
}
