// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.JobRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How many jobs per second are taken by requests of many jobs each, our own {@code createManagedJobs}. The jobs are held before the LRM, so
 * that nothing but the creation is measured.
 */
@Command(name = "bulk", description = "jobs accepted per second, many in each request")
public final class Bulk extends Scenario {

    private static final double BUDGET = 2_000;
    /** gram.maxBulkJobs, and limits.maxLiveJobsPerOwner. */
    private static final int MOST_OF_A_REQUEST = 1_000;

    private static final int MOST_JOBS = 100_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Option(names = "--jobs", defaultValue = "10000", description = "jobs of one run (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(
            names = "--batch",
            defaultValue = "1000",
            description = "jobs of one request, 1000 at most (default: ${DEFAULT-VALUE})")
    int batch;

    @Option(names = "--connections", defaultValue = "1", description = "how many (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--repeat",
            defaultValue = "5",
            description = "runs that count, after one that does not (default: ${DEFAULT-VALUE})")
    int repeat;

    /** With default options. */
    public Bulk() {
        super("bulk");
    }

    @Override
    void checkOptions() {
        require(batch >= 1 && batch <= MOST_OF_A_REQUEST, "--batch must be from 1 to " + MOST_OF_A_REQUEST);
        require(connections >= 1 && repeat >= 1, "--connections and --repeat must be at least 1");
        require(jobs >= batch && jobs % batch == 0, "--jobs must be a multiple of --batch");
        require(
                (repeat + 1L) * jobs <= MOST_JOBS,
                "all runs, and the one before them, may have " + MOST_JOBS + " jobs, as many as a subject may have");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        List<Double> rates = new ArrayList<>();
        List<Double> processor = new ArrayList<>();
        Latencies latencies = new Latencies();
        Load.Result last = Load.Result.none();
        try (Load load = SubmitRate.connect(lab, connections, false)) {
            boolean whole = true;
            for (int i = 0; i <= repeat && whole; i++) {
                progress(i == 0 ? "warming up ..." : "run " + i + " of " + repeat);
                double before = gateway.figures().cpuSeconds();
                last = create(load);
                whole = last.accepted() == jobs / batch;
                if (i > 0 && whole) {
                    rates.add(last.perSecond() * batch);
                    processor.add(1_000 * (gateway.figures().cpuSeconds() - before) / jobs);
                    latencies.add(last.latencies());
                }
            }
        }
        if (!rates.isEmpty()) {
            report.spread("jobs_per_second", Spread.of(rates), "jobs accepted per second", Budget.atLeast(BUDGET))
                    .latencies("latency_ms", latencies.percentiles(), "latency of a request, ms")
                    .spread("server_cpu_ms_per_job", Spread.of(processor), "server CPU per job, ms");
        }
        long missing = jobs / batch - last.accepted();
        report.count("errors", missing, "requests refused, failed or not sent in time", Budget.atMost(0))
                .put("jobs", jobs)
                .put("batch", batch)
                .put("connections", connections);
        if (last.firstFailure() != null) {
            report.put("first_error", last.firstFailure());
        }
        return missing == 0;
    }

    private Load.Result create(Load load) throws InterruptedException {
        return load.send(
                Pace.closedLoop(TIMEOUT, jobs / batch),
                client -> client.createMany(Stream.generate(() -> JobRequest.noOp(Load.newKey(), load.terminationTime())
                                .held())
                        .limit(batch)
                        .toList()));
    }
}
