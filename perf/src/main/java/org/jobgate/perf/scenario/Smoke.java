// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Conditions;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.HttpReply;
import picocli.CommandLine.Command;

/**
 * A short guard for continuous integration. It looks at ratios to floors measured in the same seconds on the same machine, never at
 * times, so that a slow or busy machine does not fail it; the bounds are several times what is usual and catch a lost order of magnitude.
 */
@Command(name = "smoke", description = "under a minute: ratios to floors, with wide bounds; fails where one is broken")
public final class Smoke extends Scenario {

    private static final int WARMUP_JOBS = 5;
    private static final int JOBS = 9;
    private static final int WARMUP_SECONDS = 5;
    private static final int REQUESTS = 200;
    private static final Duration JOB_TIMEOUT = Duration.ofMinutes(4);

    /** A no-op job by command line costs 5 to 11 bare JVM starts, on an idle machine and on a very busy one. */
    private static final double MAX_JOBS_PER_JVM_START = 20;
    /** A create costs 2 to 5 times a plain request with a forced write. */
    private static final double MAX_CREATES_PER_REQUEST_AND_WRITE = 20;

    /** With default options. */
    public Smoke() {
        super("smoke");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        Commands client = lab.clients(JOB_TIMEOUT);
        Sequential.measure(lab, client, WARMUP_JOBS);
        Sequential.Times times = Sequential.measure(lab, client, JOBS);
        double perJvm = Spread.of(times.job).median() / Spread.of(times.jvm).median();
        report.number("ratio_job_to_jvm_start", perJvm, "no-op job / JVM start", Budget.atMost(MAX_JOBS_PER_JVM_START));
        creates(lab, report);
        return report.missed().isEmpty();
    }

    private static void creates(Lab lab, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        try (Load load = SubmitRate.connect(lab, 1, false);
                GramClient floor = lab.client(lab.tls())) {
            load.create(Pace.closedLoop(Duration.ofSeconds(WARMUP_SECONDS), Long.MAX_VALUE));
            requestMillis(floor);
            double request = requestMillis(floor);
            double write = Conditions.fsyncMillis(lab.state());
            Load.Result creates = load.create(Pace.closedLoop(Duration.ofMinutes(1), REQUESTS));
            report.number(
                            "ratio_create_to_request_and_write",
                            creates.latencies().percentiles().p50() / (request + write),
                            "create / (plain request + forced write)",
                            Budget.atMost(MAX_CREATES_PER_REQUEST_AND_WRITE))
                    .count("errors", creates.failed(), "creates refused or failed", Budget.atMost(0));
        }
    }

    /** The median of plain requests on a connection of the same kind. */
    private static double requestMillis(GramClient client) throws IOException {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long begin = System.nanoTime();
            HttpReply reply = client.connection().get("/health");
            millis.add((System.nanoTime() - begin) / 1e6);
            if (reply.status() != 200) {
                throw new IOException("/health was answered with " + reply.status() + ": " + reply.body());
            }
        }
        return Spread.of(millis).median();
    }
}
