// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.JobRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The most jobs that one container holds at once (the GRAM paper's Table 1 gives 32,000): all are given to a real LRM, asked for while
 * they are there, and cancelled; none may be left, neither here nor in the LRM.
 */
@Command(
        name = "active",
        description = "N jobs in the LRM at once: seconds to hold them, latency of state queries, heap, all cancelled")
public final class Active extends Scenario {

    private static final double BUDGET_MEBIBYTES = 512;
    private static final double BUDGET_QUERY_P99_MS = 50;
    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final String LAB_ACCOUNT = "jobgate-a";
    private static final long POLL_MS = 1_000;

    @Option(names = "--jobs", defaultValue = "32000", description = "jobs at once (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description = "fork or condor; the latter needs its commands on the PATH (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    @Option(names = "--connections", defaultValue = "8", description = "to the gateway (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--rate",
            defaultValue = "200",
            description = "state queries that are due per second (default: ${DEFAULT-VALUE})")
    double rate;

    @Option(names = "--seconds", defaultValue = "30", description = "of queries (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "a setting for the gateway's adapter; repeatable")
    List<String> options = new ArrayList<>();

    /** With default options. */
    public Active() {
        super("active");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return lrm.choice(account(), options);
    }

    private String account() {
        String own = System.getProperty("user.name");
        return own.equals("root") && lrm != DirectLrm.FORK ? LAB_ACCOUNT : own;
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        report.put("lrm", lrm.name()).put("jobs", jobs);
        try (Load load = SubmitRate.connect(lab, connections, true)) {
            boolean allHeld = hold(load, gateway, report);
            List<String> ids = ids(gateway);
            Load.Result queries = query(load, ids, report);
            report.number("rss_mib", gateway.figures().residentMiB(), "resident with the jobs, MiB", Budget.NONE);
            boolean allGone = cancel(load, gateway, ids, report);
            report.number(
                    "rss_peak_mib",
                    gateway.figures().peakResidentMiB(),
                    "resident at its most, MiB",
                    Budget.atMost(BUDGET_MEBIBYTES));
            return allHeld && queries.failed() == 0 && allGone;
        }
    }

    private boolean hold(Load load, Gateway gateway, Report report) throws IOException, InterruptedException {
        progress("creating " + jobs + " jobs that stay ...");
        long begin = System.nanoTime();
        Load.Result created = load.send(
                Pace.closedLoop(TIMEOUT, jobs),
                client -> client.create(JobRequest.sleeper(Load.newKey(), load.terminationTime())));
        report.count("accepted", created.accepted(), "jobs taken", Budget.atLeast(jobs))
                .number("accepted_seconds", created.seconds(), "until all were taken, s", Budget.NONE);
        progress(created.accepted() + " taken; waiting until the LRM has them ...");
        boolean all = await(() -> inLrm(gateway) >= jobs);
        report.number("held_seconds", secondsSince(begin), "until the LRM had all of them, s", Budget.NONE)
                .count("in_lrm", inLrm(gateway), "jobs that the LRM has", Budget.atLeast(jobs));
        return all && created.failed() == 0;
    }

    /** The LRM has a job when it has given it an id. */
    private static long inLrm(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .filter(job -> !job.path("localIds").isEmpty())
                .filter(job -> !JobRecord.of(job).isOver())
                .count();
    }

    private static List<String> ids(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .map(job -> job.path("id").asString())
                .toList();
    }

    private Load.Result query(Load load, List<String> ids, Report report) throws InterruptedException {
        progress("asking for their states, " + Spread.show(rate) + " times a second ...");
        Load.Result queries = load.send(
                Pace.openLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE, rate),
                client -> client.view(ids.get(ThreadLocalRandom.current().nextInt(ids.size()))));
        var latencies = queries.latencies().percentiles();
        report.count("queries", queries.accepted(), "state queries answered", Budget.NONE)
                .count("queries_failed", queries.failed(), "state queries that failed", Budget.atMost(0))
                .latencies("query_ms", latencies, "latency of a state query, from when it was due, ms")
                .number("query_p99_ms", latencies.p99(), "its p99", Budget.atMost(BUDGET_QUERY_P99_MS));
        return queries;
    }

    private boolean cancel(Load load, Gateway gateway, List<String> ids, Report report)
            throws IOException, InterruptedException {
        progress("destroying them ...");
        AtomicInteger next = new AtomicInteger();
        long begin = System.nanoTime();
        Load.Result destroyed = load.send(
                Pace.closedLoop(TIMEOUT, ids.size()), client -> client.destroy(ids.get(next.getAndIncrement())));
        double answered = secondsSince(begin);
        boolean over = await(() -> gateway.admin().status().path("liveJobs").asLong(1) == 0);
        double gone = secondsSince(begin);
        long left = leftInLrm();
        long wrong = wrongEnds(gateway);
        report.number("destroy_seconds", answered, "until all Destroys were answered, s", Budget.NONE)
                .count("destroy_failed", destroyed.failed(), "Destroys that failed", Budget.atMost(0))
                .number("gone_seconds", gone, "until no job lived, s", Budget.NONE)
                .count("left", left, "jobs left in the LRM", Budget.atMost(0))
                .count("wrong", wrong, "jobs that ended otherwise than cancelled", Budget.atMost(0));
        return over && destroyed.failed() == 0 && left == 0 && wrong == 0;
    }

    /** A job that was destroyed may be gone; one that is still known must have been cancelled. */
    private static long wrongEnds(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .map(JobRecord::of)
                .filter(job -> !job.state().equals("CANCELLED"))
                .count();
    }

    private long leftInLrm() throws IOException, InterruptedException {
        try (DirectLrm.Direct as = DirectLrm.Direct.of(account())) {
            return switch (lrm) {
                case CONDOR ->
                    as.says(
                                    "condor_q",
                                    account(),
                                    "-constraint",
                                    "JobgateId isnt undefined && JobStatus < 3",
                                    "-af",
                                    "ClusterId")
                            .lines()
                            .count();
                case FORK -> sleepers();
                default -> throw new IOException("active runs with fork and condor, not with " + lrm);
            };
        }
    }

    private static long sleepers() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").equals("/bin/sleep 86400"))
                .count();
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static boolean await(Waiting.Question question) throws IOException, InterruptedException {
        return Waiting.until(TIMEOUT, Duration.ofMillis(POLL_MS), question);
    }
}
