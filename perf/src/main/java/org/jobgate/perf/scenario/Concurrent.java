// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.gateway.ProcessFigures;
import org.jobgate.perf.peer.Slurmrestd;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * The GRAM paper's concurrent scenario: many jobs at once, from the first submission to the last end; the same jobs given directly
 * to the same LRM and through the gateway, by turns in one run, so that whatever else the machine does hits both; to Slurm by its own REST
 * interface, too.
 */
@Command(
        name = "concurrent",
        description =
                "N jobs from the first submission to the last end, by turns directly to the LRM and through the gateway")
public final class Concurrent extends Scenario {

    /** Each look costs the service two milliseconds or three, which are not to be counted as the jobs'. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final double BUDGET_RATIO = 1.05;
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description =
                    "fork, condor, slurm or sge; all but fork need its commands on the PATH (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    @Option(names = "--jobs", defaultValue = "1000", description = "jobs of one turn (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each kind (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "200",
            description =
                    "jobs through the gateway before, which are not counted: a service lives for months, and its first"
                            + " requests cost it ten times the later ones (default: ${DEFAULT-VALUE})")
    int warmup;

    @Option(
            names = "--seconds",
            defaultValue = "0",
            description = "what each job sleeps; 0: it does nothing, and what is compared is the processor time"
                    + " that a job costs the machine (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--connections", defaultValue = "4", description = "to the gateway (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--account",
            description = "whose jobs they are (default: our own; of root's harness " + DirectLrm.LAB_ACCOUNT
                    + ", but for fork)")
    @Nullable
    String account;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "a setting for the gateway's adapter; repeatable")
    List<String> options = new ArrayList<>();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "beside the LRM's own command: slurmrestd, or none (default: all that are there)")
    List<String> chosen = new ArrayList<>();

    @Option(names = "--direct", description = "only directly, without the gateway")
    boolean directOnly;

    /** With default options. */
    public Concurrent() {
        super("concurrent");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return lrm.choice(account(), options);
    }

    private String account() {
        return account != null ? account : lrm.account();
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<Double> direct = new ArrayList<>();
        List<Turn> through = new ArrayList<>();
        Row row = new Row(jobs + " jobs, " + String.join(" ", program()), "s", Row.Better.LOWER);
        Optional<Slurmrestd> rest = rest(report);
        report.put("lrm", lrm.name())
                .put("account", account())
                .put("jobs", jobs)
                .put("program", String.join(" ", program()));
        try (DirectLrm.Direct as = DirectLrm.Direct.of(account())) {
            if (!directOnly) {
                gateway.start();
            }
            // a turn of each before, not counted: caches, workers, the first spool, and the compilation of the service
            turn(as, Math.min(jobs, 10), "jgw");
            if (rest.isPresent()) {
                turn(rest.get(), as, Math.min(jobs, 10), "jgrw");
            }
            try (Load load = directOnly ? null : SubmitRate.connect(lab, connections, true)) {
                if (load != null) {
                    turn(load, gateway, Math.max(1, warmup));
                }
                for (int i = 1; i <= repeat; i++) {
                    direct.add(turn(as, jobs, "jgd" + i));
                    progress("turn " + i + ": directly " + Spread.show(direct.getLast()) + " s");
                    if (load != null) {
                        through.add(turn(load, gateway, jobs));
                        row.ours(through.getLast().seconds()).peer(lrm.command(), direct.getLast());
                        progress("turn " + i + ": through the gateway "
                                + Spread.show(through.getLast().seconds()) + " s");
                    }
                    if (rest.isPresent()) {
                        double seconds = turn(rest.get(), as, jobs, "jgr" + i);
                        row.peer(Slurmrestd.NAME, seconds);
                        progress("turn " + i + ": by slurmrestd " + Spread.show(seconds) + " s");
                    }
                }
            }
        }
        if (directOnly) {
            report.spread("direct_seconds", Spread.of(direct), "directly, first submission to last end, s");
            return true;
        }
        report.row(row);
        return report(report, direct, through);
    }

    private Optional<Slurmrestd> rest(Report report) throws IOException, InterruptedException {
        if (lrm != DirectLrm.SLURM || directOnly || !(chosen.isEmpty() || chosen.contains(Slurmrestd.NAME))) {
            return Optional.empty();
        }
        Optional<String> absence = Slurmrestd.absence();
        if (absence.isPresent()) {
            return skipped(report, absence.get());
        }
        try {
            Slurmrestd rest = Slurmrestd.of(account());
            report.put("versions", Map.of("slurmrestd", Slurmrestd.version())).note(Slurmrestd.REMARK);
            return Optional.of(rest);
        } catch (IOException e) {
            return skipped(report, e.getMessage());
        }
    }

    private static Optional<Slurmrestd> skipped(Report report, @Nullable String why) {
        progress("SKIPPED: " + Slurmrestd.NAME + " is not measured: " + why);
        report.note(Slurmrestd.NAME + " was skipped: " + why);
        return Optional.empty();
    }

    private List<String> program() {
        return seconds == 0 ? List.of("/bin/true") : List.of("/bin/sleep", "" + seconds);
    }

    private double turn(DirectLrm.Direct as, int number, String tag) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        lrm.run(as, number, tag, program());
        return (System.nanoTime() - begin) / 1e9;
    }

    private double turn(Slurmrestd rest, DirectLrm.Direct as, int number, String tag)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        rest.submit(number, tag, program(), connections);
        DirectLrm.awaitSlurm(as, tag);
        return (System.nanoTime() - begin) / 1e9;
    }

    private Turn turn(Load load, Gateway gateway, int number) throws IOException, InterruptedException {
        List<JsonNode> before = gateway.admin().jobs("");
        String last = before.isEmpty() ? "" : before.getLast().path("id").asString();
        double server = gateway.figures().cpuSeconds();
        double workers = workerSeconds(gateway);
        long begin = System.nanoTime();
        Load.Result result = load.create(Pace.closedLoop(TIMEOUT, number), program());
        double accepted = (System.nanoTime() - begin) / 1e9;
        boolean over = Waiting.until(
                TIMEOUT,
                BETWEEN_LOOKS,
                () -> gateway.admin().status().path("liveJobs").asLong(1) == 0);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double serverMs = 1_000 * (gateway.figures().cpuSeconds() - server) / number;
        double workerMs = 1_000 * (workerSeconds(gateway) - workers) / number;
        long done = gateway.admin().jobs(last).stream()
                .map(JobRecord::of)
                .filter(job -> job.state().equals("DONE"))
                .count();
        return new Turn(seconds, accepted, over ? number - done : number, result.failed(), serverMs, workerMs);
    }

    /** What the gateway's Perl workers have used, without the LRM's commands that they ran. */
    private static double workerSeconds(Gateway gateway) throws IOException {
        double seconds = 0;
        long pid = gateway.pid().orElseThrow(() -> new IOException("the gateway does not run"));
        for (ProcessHandle child :
                ProcessHandle.of(pid).orElseThrow().descendants().toList()) {
            boolean isWorker = child.info().commandLine().orElse("").contains("jobgate-worker");
            seconds +=
                    isWorker && child.isAlive() ? ProcessFigures.of(child.pid()).cpuSeconds() : 0;
        }
        return seconds;
    }

    private boolean report(Report report, List<Double> direct, List<Turn> through) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < through.size(); i++) {
            ratios.add(Spread.round(through.get(i).seconds() / direct.get(i)));
        }
        long notDone = through.stream().mapToLong(Turn::notDone).sum();
        long refused = through.stream().mapToLong(Turn::refused).sum();
        report.spread(
                        "ratio",
                        Spread.of(ratios),
                        "gateway / direct, each turn",
                        lrm == DirectLrm.FORK ? Budget.NONE : Budget.atMost(BUDGET_RATIO))
                .spread("accepted_seconds", spread(through, Turn::accepted), "until the gateway had all of them, s")
                .spread("server_cpu_ms_per_job", spread(through, Turn::serverMs), "service's CPU per job, ms")
                .spread(
                        "worker_cpu_ms_per_job",
                        spread(through, Turn::workerMs),
                        "Perl workers' CPU per job, ms",
                        Budget.atMost(5))
                .count("refused", refused, "refused", Budget.atMost(0))
                .count("not_done", notDone, "jobs that did not end as Done", Budget.atMost(0));
        return notDone == 0 && refused == 0;
    }

    private static Spread spread(List<Turn> turns, java.util.function.ToDoubleFunction<Turn> figure) {
        return Spread.of(turns.stream().map(figure::applyAsDouble).toList());
    }

    /**
     * One turn through the gateway.
     *
     * @param accepted seconds until all creates were answered
     */
    private record Turn(
            double seconds, double accepted, long notDone, long refused, double serverMs, double workerMs) {}
}
