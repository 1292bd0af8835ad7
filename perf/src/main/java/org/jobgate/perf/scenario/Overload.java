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
     * @param many makes the crowd
     * @param steady makes the process of the steady clients
     * @return whether the steady clients are served afterwards as before
     */
    boolean measure(Report report, Many many, Steady steady) throws IOException, InterruptedException {
        try (SteadyClients few = steady.start(STEADY, rate)) {
            SteadyClients.Told before = alone(few);
            SteadyClients.Told during;
            Crowd.Outcome crowd;
            try (Clients all = many.make(number)) {
                Scenario.progress(number + " clients connect ...");
                few.begin();
                long begin = System.nanoTime();
                Reasons refused = all.crowd().connect();
                report.put("overload_connect_seconds", (System.nanoTime() - begin) / 1e9)
                        .put("overload_refused_while_connecting", refused.counts());
                crowd = all.crowd().loop(Pace.closedLoop(time, Long.MAX_VALUE));
                during = few.end();
            }
            SteadyClients.Told after = alone(few);
            report.put("overload_clients", number)
                    .number(
                            "overload_answered_per_second",
                            crowd.perSecond(),
                            "overload: answered per second",
                            Budget.NONE)
                    .count("overload_refused", crowd.refused().total(), "overload: refused or broken off", Budget.NONE)
                    .put("overload_reasons", crowd.refused().counts());
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

    private SteadyClients.Told alone(SteadyClients few) throws IOException, InterruptedException {
        few.begin();
        Thread.sleep(time);
        return few.end();
    }

    private static void steady(Report report, String when, SteadyClients.Told told) {
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
        Clients make(int number);
    }

    /** Makes the steady clients. */
    @FunctionalInterface
    interface Steady {
        SteadyClients start(int number, double rate) throws IOException;
    }
}
