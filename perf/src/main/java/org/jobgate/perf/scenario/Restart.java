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
import org.jobgate.perf.report.Spread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What many live jobs cost in memory, how long the service takes to be back with them, and whether each is as it was. */
@Command(
        name = "restart",
        description = "live jobs, memory, then kill -9 and start again: seconds until running, none changed")
public final class Restart extends Scenario {

    private static final double BUDGET_SECONDS = 3;
    private static final double BUDGET_MEBIBYTES = 300;
    private static final int CONNECTIONS = 8;
    private static final Duration CREATE_TIMEOUT = Duration.ofMinutes(10);

    @Option(names = "--jobs", defaultValue = "10000", description = "live jobs, held (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--repeat", defaultValue = "5", description = "restarts (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(names = "--graceful", description = "stop the service in order instead of killing it")
    boolean graceful;

    /** With default options. */
    public Restart() {
        super("restart");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<Double> seconds = new ArrayList<>();
        double emptySeconds = gateway.start().toNanos() / 1e9;
        ProcessFigures empty = gateway.figures();
        createJobs(lab);
        Waiting.untilAllAreHeld(gateway, CREATE_TIMEOUT);
        double loadedMiB = gateway.figures().residentMiB();
        Map<String, String> before = standing(gateway);
        progress(before.size() + " live jobs, " + Spread.show(loadedMiB) + " MiB resident");
        List<Double> restartedMiB = new ArrayList<>();
        List<Double> processorSeconds = new ArrayList<>();
        for (int i = 1; i <= repeat; i++) {
            seconds.add(restart(gateway));
            ProcessFigures figures = gateway.figures();
            restartedMiB.add(figures.residentMiB());
            processorSeconds.add(figures.cpuSeconds());
            progress("restart " + i + ": " + Spread.show(seconds.getLast()) + " s");
        }
        Map<String, String> after = standing(gateway);
        report.spread("restart_seconds", Spread.of(seconds), "seconds to running", Budget.atMost(BUDGET_SECONDS))
                .spread("restart_cpu_seconds", Spread.of(processorSeconds), "processor time of the service for that, s")
                .number("empty_start_seconds", emptySeconds, "first start, no job, s", Budget.NONE)
                .number(
                        "empty_start_cpu_seconds",
                        empty.cpuSeconds(),
                        "processor time of the service for that, s",
                        Budget.NONE)
                .number("rss_mib", loadedMiB, "resident with the jobs, MiB", Budget.atMost(BUDGET_MEBIBYTES))
                .spread(
                        "rss_restarted_mib",
                        Spread.of(restartedMiB),
                        "resident after a restart, MiB",
                        Budget.atMost(BUDGET_MEBIBYTES))
                .number("rss_empty_mib", empty.residentMiB(), "resident without jobs, MiB", Budget.NONE)
                .put("how", graceful ? "stopped in order" : "kill -9");
        return verdict(report, before, after);
    }

    private void createJobs(Lab lab) throws IOException, InterruptedException, GeneralSecurityException {
        progress("creating " + jobs + " held jobs ...");
        try (Load load = SubmitRate.connect(lab, CONNECTIONS, false)) {
            Load.Result result = load.create(Pace.closedLoop(CREATE_TIMEOUT, jobs));
            if (result.accepted() != jobs) {
                throw new IOException("only " + result.accepted() + " of " + jobs
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

    private boolean verdict(Report report, Map<String, String> before, Map<String, String> after) {
        long lost =
                before.keySet().stream().filter(id -> !after.containsKey(id)).count();
        long added =
                after.keySet().stream().filter(id -> !before.containsKey(id)).count();
        long changed = before.entrySet().stream()
                .filter(job ->
                        after.containsKey(job.getKey()) && !job.getValue().equals(after.get(job.getKey())))
                .count();
        report.count("jobs", before.size(), "live jobs", Budget.atLeast(jobs))
                .count("lost", lost, "lost", Budget.atMost(0))
                .count("added", added, "added", Budget.atMost(0))
                .count("changed", changed, "changed", Budget.atMost(0));
        return before.size() == jobs && lost + added + changed == 0;
    }
}
