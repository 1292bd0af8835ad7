// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;

/**
 * More clients of one user than the service admits connect and ask as fast as they can, while a few of another user go on asking at a
 * steady rate.
 */
final class Overload {

    private static final int STEADY = 4;

    /** Milliseconds within which 99 % of the steady clients' queries are to be answered meanwhile. */
    private static final double STEADY_P99_MS = 250;

    /** The least share of the steady clients' queries to be answered meanwhile. */
    private static final double STEADY_SHARE = 0.95;

    /** How long the process of the steady clients needs to come to its speed. */
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    /** What a service that has recovered answers of what it did before. */
    private static final double RECOVERED = 0.9;

    private final int number;
    private final Duration time;
    private final double rate;

    /**
     * An overload.
     *
     * @param number of clients of the crowd
     * @param time that the crowd asks for, after it has connected; the steady clients have as much before and after
     * @param rate of the steady clients, per second
     */
    Overload(int number, Duration time, double rate) {
        this.number = number;
        this.time = requireNonNull(time, "time is null");
        this.rate = rate;
    }

    /**
     * Lets them come.
     *
     * @param many starts the crowd's process
     * @param steady starts the process of the steady clients
     * @return whether the steady clients are served afterwards as before
     */
    boolean measure(Report report, Many many, Steady steady) throws IOException, InterruptedException {
        try (ClientProcess few = steady.start(STEADY, rate)) {
            if (!few.refused().isEmpty()) {
                throw new IOException("the steady clients cannot connect: " + few.refused());
            }
            var unused = during(few, WARM_UP);
            ClientProcess.Told before = during(few, time);
            Scenario.progress(number + " clients connect ...");
            few.begin();
            long begin = System.nanoTime();
            ClientProcess.Told crowd;
            ClientProcess.Told during;
            try (ClientProcess all = many.start(number)) {
                report.put("overload_connect_seconds", (System.nanoTime() - begin) / 1e9)
                        .put("overload_refused_while_connecting", all.refused());
                crowd = during(all, time);
                during = few.end();
            }
            ClientProcess.Told after = during(few, time);
            report.put("overload_clients", number)
                    .number(
                            "overload_answered_per_second",
                            crowd.perSecond(),
                            "overload: answered per second",
                            Budget.NONE)
                    .count(
                            "overload_refused",
                            crowd.refused().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum(),
                            "overload: refused or broken off",
                            Budget.NONE)
                    .put("overload_reasons", crowd.refused());
            steady(report, "before", before);
            steady(report, "during", during);
            steady(report, "after", after);
            report.number(
                            "steady_during_share",
                            during.perSecond() / rate,
                            "steady clients during, share of their rate",
                            Budget.atLeast(STEADY_SHARE))
                    .number(
                            "steady_during_p99_ms",
                            during.latencies().p99(),
                            "steady clients during, p99, ms",
                            Budget.atMost(STEADY_P99_MS));
            boolean recovered = after.refused().isEmpty() && after.perSecond() > RECOVERED * before.perSecond();
            report.put("recovered", recovered);
            return recovered;
        }
    }

    private static ClientProcess.Told during(ClientProcess clients, Duration time)
            throws IOException, InterruptedException {
        clients.begin();
        Thread.sleep(time);
        return clients.end();
    }

    private static void steady(Report report, String when, ClientProcess.Told told) {
        report.number(
                        "steady_" + when + "_per_second",
                        told.perSecond(),
                        "steady clients " + when + ", 1/s",
                        Budget.NONE)
                .latencies("steady_" + when + "_ms", told.latencies(), "  their latency, ms")
                .put("steady_" + when + "_failures", told.refused());
    }

    /** Makes a crowd. */
    @FunctionalInterface
    interface Many {
        ClientProcess start(int number) throws IOException;
    }

    /** Makes the steady clients. */
    @FunctionalInterface
    interface Steady {
        ClientProcess start(int number, double rate) throws IOException;
    }
}
