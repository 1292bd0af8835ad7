// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.ProcessFigures;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What many live jobs cost in memory, how long the service takes to be back with them, and whether each is as it was. */
@Command(
        name = "restart",
        description = "live jobs, memory, then kill -9 and start again: seconds until running, none changed")
public final class Restart extends Scenario {

    private static final int MANY = 10_000;
    private static final int VERY_MANY = 100_000;
    private static final double SECONDS_WITH_MANY = 3;
    private static final double SECONDS_WITH_VERY_MANY = 10;
    private static final double MEBIBYTES_WITH_MANY = 300;
    private static final int CONNECTIONS = 8;
    private static final Duration CREATE_TIMEOUT = Duration.ofMinutes(10);

    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "10000",
            description =
                    "live jobs, held, one number after another; a subject may have 100000 (default: ${DEFAULT-VALUE})")
    List<Integer> jobs = new ArrayList<>();

    @Option(
            names = "--repeat",
            defaultValue = "5",
            description = "restarts with each number (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(names = "--graceful", description = "stop the service in order instead of killing it")
    boolean graceful;

    /** With default options. */
    public Restart() {
        super("restart");
    }

    @Override
    void checkOptions() {
        require(jobs.stream().allMatch(number -> number > 0), "--jobs wants numbers of at least 1, and has " + jobs);
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        double emptySeconds = gateway.start().toNanos() / 1e9;
        ProcessFigures empty = gateway.figures();
        report.put("how", graceful ? "stopped in order" : "kill -9")
                .number("empty_start_seconds", emptySeconds, "first start, no job, s", Budget.NONE)
                .number(
                        "empty_start_cpu_seconds",
                        empty.cpuSeconds(),
                        "processor time of the service for that, s",
                        Budget.NONE)
                .number("rss_empty_mib", empty.residentMiB(), "resident without jobs, MiB", Budget.NONE);
        boolean good = true;
        int there = 0;
        for (int number : jobs.stream().sorted().distinct().toList()) {
            createJobs(lab, number - there);
            there = number;
            Waiting.untilAllAreHeld(gateway, CREATE_TIMEOUT);
            good &= restarts(number, gateway, report);
        }
        return good;
    }

    private boolean restarts(int number, Gateway gateway, Report report) throws IOException, InterruptedException {
        Row seconds = row(number, "from jobgate start to running", "s");
        Row processor = row(number, "processor time of the service for that", "s");
        Row loaded = row(number, "resident before the restarts", "MiB")
                .ours(gateway.figures().residentMiB());
        Row restarted = row(number, "resident after one", "MiB");
        Map<String, String> before = standing(gateway);
        progress(before.size() + " live jobs");
        for (int i = 1; i <= repeat; i++) {
            double one = restart(gateway);
            seconds.ours(one);
            ProcessFigures figures = gateway.figures();
            restarted.ours(figures.residentMiB());
            processor.ours(figures.cpuSeconds());
            progress("restart " + i + " with " + number + " jobs: " + Spread.show(one) + " s");
        }
        Map<String, String> after = standing(gateway);
        report.row(seconds).row(processor).row(loaded).row(restarted);
        report.number(
                        "restart_seconds_" + number,
                        seconds.ours().median(),
                        "  seconds to running",
                        number <= MANY
                                ? Budget.atMost(SECONDS_WITH_MANY)
                                : number <= VERY_MANY ? Budget.atMost(SECONDS_WITH_VERY_MANY) : Budget.NONE)
                .number(
                        "rss_mib_" + number,
                        Math.max(loaded.ours().max(), restarted.ours().max()),
                        "  resident at most, MiB",
                        number <= MANY ? Budget.atMost(MEBIBYTES_WITH_MANY) : Budget.NONE);
        return verdict(number, report, before, after);
    }

    private static Row row(int number, String what, String unit) {
        return new Row(number + " live jobs: " + what, unit, Row.Better.LOWER);
    }

    private void createJobs(Lab lab, int number) throws IOException, InterruptedException, GeneralSecurityException {
        progress("creating " + number + " held jobs ...");
        try (Load load = SubmitRate.connect(lab, CONNECTIONS, false)) {
            Load.Result result = load.create(Pace.closedLoop(CREATE_TIMEOUT, number));
            if (result.accepted() != number) {
                throw new IOException("only " + result.accepted() + " of " + number
                        + " jobs were taken; the first failure: " + result.firstFailure());
            }
        }
    }

    private double restart(Gateway gateway) throws IOException, InterruptedException {
        if (graceful) {
            gateway.stop();
        } else {
            gateway.kill();
        }
        return gateway.start().toNanos() / 1e9;
    }

    private static Map<String, String> standing(Gateway gateway) throws IOException {
        Map<String, String> standing = new LinkedHashMap<>();
        for (JsonNode job : gateway.admin().jobs("")) {
            JobRecord one = JobRecord.of(job);
            standing.put(one.id(), one.standing());
        }
        return standing;
    }

    private static boolean verdict(int number, Report report, Map<String, String> before, Map<String, String> after) {
        long lost =
                before.keySet().stream().filter(id -> !after.containsKey(id)).count();
        long added =
                after.keySet().stream().filter(id -> !before.containsKey(id)).count();
        long changed = before.entrySet().stream()
                .filter(job ->
                        after.containsKey(job.getKey()) && !job.getValue().equals(after.get(job.getKey())))
                .count();
        report.count("jobs_" + number, before.size(), "  live jobs", Budget.atLeast(number))
                .count("lost_" + number, lost, "  lost", Budget.atMost(0))
                .count("added_" + number, added, "  added", Budget.atMost(0))
                .count("changed_" + number, changed, "  changed", Budget.atMost(0));
        return before.size() == number && lost + added + changed == 0;
    }
}
