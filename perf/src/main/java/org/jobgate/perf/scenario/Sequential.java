// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * The GRAM paper's sequential scenario: one job after another by command line, each a no-op on Fork, beside what the machine needs for
 * a process and for a JVM that do nothing.
 */
@Command(
        name = "sequential",
        description =
                "jobs one after another by globusrun-ws, from process start to its end; beside a fork and a JVM start")
public final class Sequential extends Scenario {

    private static final double BUDGET_SECONDS = 0.25;
    private static final double BUDGET_SERVER_MS = 30;
    private static final Duration JOB_TIMEOUT = Duration.ofMinutes(1);

    @Option(names = "--jobs", defaultValue = "100", description = "jobs of one run (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--repeat", defaultValue = "1", description = "runs (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "jobs before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    /** With default options. */
    public Sequential() {
        super("sequential");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report) throws IOException, InterruptedException {
        gateway.start();
        Commands client = lab.clients(JOB_TIMEOUT);
        measure(lab, client, warmup);
        String lastOfWarmup = last(gateway);
        List<Double> means = new ArrayList<>();
        Times all = new Times();
        for (int i = 1; i <= repeat; i++) {
            Times times = measure(lab, client, jobs);
            means.add(Spread.round(times.job.stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElseThrow()));
            progress("run " + i + ": " + means.getLast() + " s per job");
            all.add(times);
        }
        report(report, all, means);
        return reportServer(report, gateway, lastOfWarmup);
    }

    /** The floors are measured between the jobs, so that what else the machine does hits all three alike. */
    static Times measure(Lab lab, Commands client, int jobs) throws IOException, InterruptedException {
        List<String> submit = List.of(lab.checkout().globusrun(), "-submit", "-F", lab.url(), "-c", "/bin/true");
        List<String> jvm =
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-version");
        Times times = new Times();
        for (int i = 0; i < jobs; i++) {
            times.fork.add(seconds(client.run(List.of("/bin/true"))));
            times.jvm.add(seconds(client.run(jvm)));
            times.job.add(seconds(client.run(submit)));
        }
        return times;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private void report(Report report, Times times, List<Double> means) {
        Spread job = Spread.of(times.job);
        report.spread("seconds_per_job", job, "seconds per job", Budget.atMost(BUDGET_SECONDS))
                .spread("floor_jvm_seconds", Spread.of(times.jvm), "floor: a JVM that does nothing, s")
                .spread("floor_fork_seconds", Spread.of(times.fork), "floor: fork and exec of /bin/true, s")
                .number(
                        "ratio_to_jvm",
                        Spread.round(job.median() / Spread.of(times.jvm).median()),
                        "job / JVM floor, medians",
                        Budget.NONE)
                .put("mean_seconds_of_runs", means)
                .put("jobs", jobs)
                .put("warmup_jobs", warmup);
    }

    private boolean reportServer(Report report, Gateway gateway, String after) throws IOException {
        List<Double> millis = new ArrayList<>();
        int notDone = 0;
        for (JsonNode listed : gateway.admin().jobs(after)) {
            JobRecord job = JobRecord.of(gateway.admin().job(listed.path("id").asString()));
            notDone += job.state().equals("DONE") ? 0 : 1;
            job.life().ifPresent(life -> millis.add(life.toNanos() / 1e6));
        }
        report.put(
                "server_ms_percentiles",
                Map.of("p90", Spread.percentile(millis, 90), "p99", Spread.percentile(millis, 99)));
        report.spread(
                        "server_ms",
                        Spread.of(millis),
                        "created to ended in the service, ms",
                        Budget.atMost(BUDGET_SERVER_MS))
                .count("not_done", notDone, "jobs that did not end as Done", Budget.atMost(0));
        return notDone == 0 && millis.size() == jobs * repeat;
    }

    private static String last(Gateway gateway) throws IOException {
        List<JsonNode> before = gateway.admin().jobs("");
        return before.isEmpty() ? "" : before.getLast().path("id").asString();
    }

    /** Seconds of each kind. */
    static final class Times {
        final List<Double> fork = new ArrayList<>();
        final List<Double> jvm = new ArrayList<>();
        final List<Double> job = new ArrayList<>();

        void add(Times other) {
            fork.addAll(other.fork);
            jvm.addAll(other.jvm);
            job.addAll(other.job);
        }
    }
}
