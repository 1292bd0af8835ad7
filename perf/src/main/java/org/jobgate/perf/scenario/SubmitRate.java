// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.gateway.ProcessFigures;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How many jobs per second the service takes: SOAP over mutual TLS on keep-alive connections, each answered when it is on disk. */
@Command(
        name = "submit-rate",
        description =
                "createManagedJob (or ARC's REST, beside A-REX) on N keep-alive connections, as fast as replies come (or at a fixed --rate)")
public final class SubmitRate extends Scenario {

    private static final double BUDGET_ONE_CONNECTION = 100;
    private static final double BUDGET_EIGHT_CONNECTIONS = 500;
    private static final Duration JOB_LIFETIME = Duration.ofDays(1);

    @Option(
            names = "--door",
            defaultValue = "gram",
            description = "gram, or arc: beside A-REX (default: ${DEFAULT-VALUE})")
    Door door = Door.GRAM;

    @Option(
            names = "--bulk",
            paramLabel = "N",
            defaultValue = "1",
            description = "jobs of one request, by ARC's door (default: ${DEFAULT-VALUE})")
    int bulk;

    @Option(names = "--connections", defaultValue = "1", description = "how many (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(names = "--seconds", defaultValue = "5", description = "length of one run (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--jobs", defaultValue = "10000", description = "most jobs of one run (default: ${DEFAULT-VALUE})")
    long jobs;

    @Option(names = "--repeat", defaultValue = "5", description = "runs that count (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "seconds of the same load before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    @Option(names = "--rate", description = "open loop: requests are due at this rate per second")
    double rate;

    @Option(names = "--run", description = "let the jobs run (/bin/true) instead of holding them before the LRM")
    boolean run;

    @Mixin
    final SimulatedUsers users = new SimulatedUsers();

    /** With default options. */
    public SubmitRate() {
        super("submit-rate");
    }

    @Override
    void checkOptions() {
        users.check(this, connections);
        require(bulk >= 1, "--bulk wants at least 1, and has " + bulk);
        require(door == Door.ARC || bulk == 1, "--bulk is for --door arc; for GRAM4 there is perf/run bulk");
        require(
                door == Door.GRAM || (users.number == 1 && rate == 0 && !run),
                "--users, --rate and --run are not for --door arc");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return door == Door.ARC ? LabGrid.require().fork() : super.lrm();
    }

    @Override
    Optional<LabGrid> grid() throws IOException {
        return door == Door.ARC ? Optional.of(LabGrid.require()) : Optional.empty();
    }

    @Override
    int users() {
        return users.number;
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        if (door == Door.ARC) {
            return new ArcRates(connections, bulk, repeat, seconds, warmup, jobs).submit(lab, report);
        }
        try (Load load = connect(lab, connections, run)) {
            progress("warming up for " + warmup + " s ...");
            load.create(pace(warmup, Long.MAX_VALUE));
            List<Run> runs = new ArrayList<>();
            for (int i = 1; i <= repeat; i++) {
                runs.add(measureOnce(load, gateway));
                progress("run " + i + ": " + Spread.show(runs.getLast().result().perSecond()) + " jobs/s");
            }
            report(report, runs, load.connects());
            return runs.stream().allMatch(one -> one.result().failed() == 0) && drain(gateway, report);
        }
    }

    /** Connections to the lab's gateway, not opened yet; its users have them by turns. */
    static Load connect(Lab lab, int connections, boolean run) throws IOException, GeneralSecurityException {
        List<SSLContext> users = lab.tlsOfUsers();
        return new Load(
                IntStream.range(0, connections)
                        .mapToObj(i -> lab.client(users.get(i % users.size())))
                        .toList(),
                run,
                Instant.now().plus(JOB_LIFETIME));
    }

    private Pace pace(int forSeconds, long most) {
        Duration duration = Duration.ofSeconds(forSeconds);
        return rate > 0 ? Pace.openLoop(duration, most, rate) : Pace.closedLoop(duration, most);
    }

    private Run measureOnce(Load load, Gateway gateway) throws IOException, InterruptedException {
        double serverBefore = gateway.figures().cpuSeconds();
        double clientBefore = ProcessFigures.ofThis().cpuSeconds();
        Load.Result result = load.create(pace(seconds, jobs));
        return new Run(
                result,
                gateway.figures().cpuSeconds() - serverBefore,
                ProcessFigures.ofThis().cpuSeconds() - clientBefore);
    }

    private void report(Report report, List<Run> runs, long connects) {
        Latencies all = new Latencies();
        runs.forEach(one -> all.add(one.result().latencies()));
        report.spread("jobs_per_second", spread(runs, Run::perSecond), "jobs accepted per second", budget())
                .latencies("latency_ms", all.percentiles(), "latency of a create, ms")
                .spread("server_cpu_ms_per_job", spread(runs, Run::serverCpuMs), "server CPU per job, ms")
                .spread("client_cpu_ms_per_job", spread(runs, Run::clientCpuMs), "load client's CPU per job, ms")
                .count(
                        "errors",
                        runs.stream().mapToLong(one -> one.result().failed()).sum(),
                        "refused or failed",
                        Budget.atMost(0))
                .put("connections", connections)
                .put("users", users.number)
                .put("connects", connects)
                .put("rate", rate > 0 ? rate : "closed loop")
                .put("jobs", run ? "/bin/true, run" : "/bin/true, held at Pending")
                .put("warmup_seconds", warmup)
                .put("runs", runs.stream().map(Run::perSecond).toList());
        runs.stream()
                .map(one -> one.result().firstFailure())
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(failure -> report.put("first_error", failure));
    }

    private static Spread spread(List<Run> runs, ToDoubleFunction<Run> figure) {
        return Spread.of(runs.stream().map(one -> figure.applyAsDouble(one)).toList());
    }

    private Budget budget() {
        if (rate > 0) {
            return Budget.NONE;
        }
        return switch (connections) {
            case 1 -> Budget.atLeast(BUDGET_ONE_CONNECTION);
            case 8 -> Budget.atLeast(BUDGET_EIGHT_CONNECTIONS);
            default -> Budget.NONE;
        };
    }

    /** Jobs that were let run are waited for, so that none is left behind. */
    private boolean drain(Gateway gateway, Report report) throws IOException, InterruptedException {
        if (!run) {
            return true;
        }
        long begin = System.nanoTime();
        boolean empty = Waiting.until(
                Duration.ofMinutes(5),
                () -> gateway.admin().status().path("liveJobs").asLong(0) == 0);
        report.number(
                "seconds_to_empty", (System.nanoTime() - begin) / 1e9, "seconds until all had ended", Budget.NONE);
        return empty;
    }

    /** One run with what it cost. */
    private record Run(Load.Result result, double serverSeconds, double clientSeconds) {

        double perSecond() {
            return result.perSecond();
        }

        double serverCpuMs() {
            return 1_000 * serverSeconds / Math.max(1, result.accepted());
        }

        double clientCpuMs() {
            return 1_000 * clientSeconds / Math.max(1, result.accepted());
        }
    }
}
