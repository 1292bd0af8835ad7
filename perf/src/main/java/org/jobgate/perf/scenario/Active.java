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
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The most jobs that one container holds at once (the GRAM paper's Table 1 gives 32,000), by sizes: all are given to a real LRM, asked
 * for while they are there, and cancelled; none may be left, neither here nor in the LRM, before the next size begins.
 */
@Command(
        name = "active",
        description =
                "1,000 to 100,000 jobs in the LRM at once: seconds to hold them, latency of state queries, memory, all cancelled")
public final class Active extends Scenario {

    private static final double BUDGET_MEBIBYTES = 512;
    private static final double BUDGET_QUERY_P99_MS = 50;
    private static final double BUDGET_LIST_MS = 200;
    /** What gram.maxListedJobs can be at most. */
    private static final int MOST_LISTED = 10_000;

    private static final int LISTS = 20;
    private static final int LISTS_BEFORE = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final long POLL_MS = 1_000;
    private static final String PAPER = "the GRAM4 paper's Table 1";
    private static final double PUBLISHED_JOBS = 32_000;

    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "1000,10000",
            description =
                    "jobs at once, one number after another; a subject may have 100000 (default: ${DEFAULT-VALUE}, some minutes)")
    List<Integer> jobs = new ArrayList<>();

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
        return lrm.choice(lrm.account(), options);
    }

    @Override
    String settings() {
        return "gram: { maxListedJobs: " + MOST_LISTED + " }";
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        report.put("lrm", lrm.name());
        boolean good = true;
        int greatest = jobs.stream().mapToInt(Integer::intValue).max().orElse(0);
        Row held = new Row("most jobs in the LRM at once, of " + greatest, "jobs", Row.Better.HIGHER)
                .published("GRAM4, one container", PUBLISHED_JOBS, PAPER);
        long most = 0;
        try (Load load = SubmitRate.connect(lab, connections, true)) {
            for (int number : jobs.stream().sorted().toList()) {
                Level level = new Level(number, lab, load, gateway, report);
                good &= level.measure();
                most = Math.max(most, level.inLrm);
            }
        }
        report.row(held.ours((double) most))
                .number(
                        "rss_peak_mib",
                        gateway.figures().peakResidentMiB(),
                        "resident at its most, MiB",
                        Budget.atMost(BUDGET_MEBIBYTES));
        report.note(
                "Nothing is warmed up: the first number pays for it. The queries are due at a steady rate, and each counts from when it was due. "
                        + lrm.name() + " runs as many of the jobs as it has room for; the others wait in it.");
        return good;
    }

    /** One number of jobs. */
    private final class Level {
        private final int number;
        private final Lab lab;
        private final Load load;
        private final Gateway gateway;
        private final Report report;
        private long inLrm;

        Level(int number, Lab lab, Load load, Gateway gateway, Report report) {
            this.number = number;
            this.lab = lab;
            this.load = load;
            this.gateway = gateway;
            this.report = report;
        }

        boolean measure() throws IOException, InterruptedException, GeneralSecurityException {
            boolean allHeld = hold();
            List<String> ids = ids(gateway);
            boolean allAnswered = !ids.isEmpty() && query(ids);
            report.row(row("resident with them", "MiB").ours(gateway.figures().residentMiB()));
            long unlisted = ids.isEmpty() ? 0 : list(Math.min(ids.size(), MOST_LISTED));
            report.count(key("unlisted"), unlisted, "  of them not in each list", Budget.atMost(0));
            return cancel(ids) && allHeld && allAnswered && unlisted == 0;
        }

        private Row row(String what, String unit) {
            return new Row(number + " jobs: " + what, unit, Row.Better.LOWER);
        }

        private String key(String name) {
            return name + "_" + number;
        }

        private boolean hold() throws IOException, InterruptedException {
            progress("creating " + number + " jobs that stay ...");
            long begin = System.nanoTime();
            Load.Result created = load.send(
                    Pace.closedLoop(TIMEOUT, number),
                    client -> client.create(JobRequest.sleeper(Load.newKey(), load.terminationTime())));
            progress(created.accepted() + " taken; waiting until the LRM has them ...");
            boolean all = await(() -> inLrm(gateway) >= number);
            double seconds = secondsSince(begin);
            inLrm = inLrm(gateway);
            report.row(row("until all were taken", "s").ours(created.seconds()))
                    .row(row("until the LRM had them", "s").ours(seconds))
                    .count(key("accepted"), created.accepted(), "  jobs taken", Budget.atLeast(number))
                    .count(key("in_lrm"), inLrm, "  jobs that the LRM has", Budget.atLeast(number));
            return all && created.failed() == 0;
        }

        private boolean query(List<String> ids) throws InterruptedException {
            progress("asking for their states, " + Spread.show(rate) + " times a second ...");
            Load.Result queries = load.send(
                    Pace.openLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE, rate),
                    client -> client.view(ids.get(ThreadLocalRandom.current().nextInt(ids.size()))));
            var latencies = queries.latencies().percentiles();
            report.row(row("99th percentile of a state query", "ms").ours(latencies.p99()))
                    .latencies(key("query_ms"), latencies, "  latency of a state query, ms")
                    .number(key("query_p99_ms"), latencies.p99(), "  its p99, ms", Budget.atMost(BUDGET_QUERY_P99_MS))
                    .count(key("queries"), queries.accepted(), "  state queries answered", Budget.NONE)
                    .count(key("queries_failed"), queries.failed(), "  state queries that failed", Budget.atMost(0));
            return queries.failed() == 0;
        }

        /** How all of them stand, in one call, again and again; answers how many were missing in the list that had the fewest. */
        private long list(int most) throws IOException, GeneralSecurityException {
            progress("asking for the states of " + most + " jobs in one call, " + LISTS + " times ...");
            List<Double> milliseconds = new ArrayList<>();
            int fewest = most;
            try (GramClient client = lab.client(lab.tls())) {
                for (int i = 0; i < LISTS_BEFORE + LISTS; i++) {
                    GramClient.JobList answer = client.list(most);
                    fewest = Math.min(fewest, answer.jobs());
                    if (i >= LISTS_BEFORE) {
                        milliseconds.add(1_000 * answer.seconds());
                    }
                }
            } catch (IOException | RefusedException e) {
                // the jobs are to be cancelled all the same
                report.note("A list of " + most + " jobs was not had: " + e.getMessage());
                return most;
            }
            report.spread(
                    key("list_ms"),
                    Spread.of(milliseconds),
                    "  states of " + most + " jobs in one call, ms",
                    Budget.atMost(BUDGET_LIST_MS));
            return (long) most - fewest;
        }

        private boolean cancel(List<String> ids) throws IOException, InterruptedException {
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
            report.row(row("until all Destroys were answered", "s").ours(answered))
                    .row(row("until none lived", "s").ours(gone))
                    .count(key("destroy_failed"), destroyed.failed(), "  Destroys that failed", Budget.atMost(0))
                    .count(key("left"), left, "  jobs left in the LRM", Budget.atMost(0))
                    .count(key("wrong"), wrong, "  jobs that ended otherwise than cancelled", Budget.atMost(0));
            return over && destroyed.failed() == 0 && left == 0 && wrong == 0;
        }
    }

    /** The LRM has a job when it has given it an id. */
    private static long inLrm(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .filter(job -> !job.path("localIds").isEmpty())
                .filter(job -> !JobRecord.of(job).isOver())
                .count();
    }

    /** The ids of the live jobs; jobs of an earlier run may still be known. */
    private static List<String> ids(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .map(JobRecord::of)
                .filter(job -> !job.isOver())
                .map(JobRecord::id)
                .toList();
    }

    /** A job that was destroyed may be gone; one that is still known must have been cancelled. */
    private static long wrongEnds(Gateway gateway) throws IOException {
        return gateway.admin().jobs("").stream()
                .map(JobRecord::of)
                .filter(job -> !job.state().equals("CANCELLED"))
                .count();
    }

    private long leftInLrm() throws IOException, InterruptedException {
        try (DirectLrm.Direct as = DirectLrm.Direct.of(lrm.account())) {
            return switch (lrm) {
                case CONDOR ->
                    as.says(
                                    "condor_q",
                                    lrm.account(),
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
