// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.wire.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How late clients learn of the end of a job: a consumer of notifications, and a client that waits by our Wait header. From the job's own
 * last act, and for HTCondor also from its event log's record of the end.
 */
@Command(
        name = "notice",
        description = "from the end of a job until a consumer of notifications, and a client that waits, is told of it")
public final class Notice extends Scenario {

    private static final double BUDGET_PUSHED_MS = 2_000;
    private static final double BUDGET_POLLED_MS = 10_000;
    private static final int MOST_JOBS = 500;
    private static final int MOST_EVERY_MS = 60_000;
    private static final String EVENT_LOG = "JOBGATE_LAB_CONDOR_EVENT_LOG";

    @Option(
            names = "--door",
            defaultValue = "gram",
            description = "gram, or arc: a client that asks for the state again and again, beside A-REX, on Fork"
                    + " (default: ${DEFAULT-VALUE})")
    Door door = Door.GRAM;

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description =
                    "fork, condor, slurm or sge; all but fork need its commands on the PATH (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    @Option(
            names = "--jobs",
            defaultValue = "50",
            description = "jobs of one turn, " + MOST_JOBS + " at most (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--repeat", defaultValue = "3", description = "turns (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--every",
            paramLabel = "MS",
            defaultValue = "200",
            description = "milliseconds from one submission to the next, so that the machine is not loaded"
                    + " (default: ${DEFAULT-VALUE})")
    int every;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "jobs before, which are not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "a setting for the gateway's adapter; repeatable")
    List<String> options = new ArrayList<>();

    /** With default options. */
    public Notice() {
        super("notice");
    }

    @Override
    void checkOptions() {
        require(jobs >= 1 && jobs <= MOST_JOBS, "--jobs wants 1 to " + MOST_JOBS + " and has " + jobs);
        require(warmup >= 1 && warmup <= MOST_JOBS, "--warmup wants 1 to " + MOST_JOBS + " and has " + warmup);
        require(door == Door.GRAM || lrm == DirectLrm.FORK, "--door arc is measured with Fork only");
        require(repeat >= 1, "--repeat wants at least 1 and has " + repeat);
        require(every >= 1 && every <= MOST_EVERY_MS, "--every wants 1 to " + MOST_EVERY_MS + " and has " + every);
    }

    @Override
    LrmChoice lrm() throws IOException {
        return door == Door.ARC ? LabGrid.require().fork() : lrm.choice(lrm.account(), options);
    }

    @Override
    Optional<LabGrid> grid() throws IOException {
        return door == Door.ARC ? Optional.of(LabGrid.require()) : Optional.empty();
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        report.put("lrm", lrm.name()).put("account", lrm.account()).put("jobs", jobs);
        Clock clock = Clock.systemUTC();
        gateway.start();
        if (door == Door.ARC) {
            return new ArcNotice(jobs, repeat, Duration.ofMillis(every)).measure(lab, report);
        }
        try (Sandbox sandbox = Sandbox.of(new Account(lrm.account()));
                Consumer consumer = Consumer.open(clock);
                NoticeTurns turns = new NoticeTurns(
                        lab,
                        gateway,
                        sandbox,
                        consumer,
                        Waiters.of(lab, Math.max(jobs, warmup), clock),
                        Duration.ofMillis(every))) {
            progress("warming up ...");
            turns.run(warmup, Optional.empty());
            List<List<Ending>> all = new ArrayList<>();
            for (int i = 1; i <= repeat; i++) {
                all.add(turns.run(jobs, eventLog()));
                progress("turn " + i + ": " + told(all.getLast()) + " of " + jobs + " jobs were told of to both");
            }
            consumer.troubles().forEach(trouble -> report.note("The consumer refused a message: " + trouble));
            return report(report, all);
        }
    }

    /** The record of HTCondor, where the environment of the lab names it. */
    private Optional<Path> eventLog() {
        String log = System.getenv(EVENT_LOG);
        return lrm == DirectLrm.CONDOR && log != null && Files.isReadable(Path.of(log))
                ? Optional.of(Path.of(log))
                : Optional.empty();
    }

    private boolean isPolled() {
        return lrm == DirectLrm.SLURM || lrm == DirectLrm.SGE;
    }

    private boolean report(Report report, List<List<Ending>> turns) {
        Budget budget = Budget.atMost(isPolled() ? BUDGET_POLLED_MS : BUDGET_PUSHED_MS);
        for (Delay delay : delays()) {
            turns.forEach(delay::add);
            delay.report(report, budget);
        }
        long all = (long) jobs * repeat;
        long done = turns.stream().flatMap(List::stream).filter(Ending::isDone).count();
        long told = turns.stream().mapToLong(Notice::told).sum();
        boolean looked = eventLog().isPresent();
        if (looked) {
            long recorded = turns.stream()
                    .flatMap(List::stream)
                    .filter(job -> job.recorded().isPresent())
                    .count();
            report.count("not_recorded", all - recorded, "jobs whose end the event log did not tell", Budget.atMost(0));
        }
        report.count("not_told", all - told, "jobs whose end one of both was not told", Budget.atMost(0))
                .count("not_done", all - done, "jobs that did not end as Done", Budget.atMost(0));
        notes(report, looked);
        return told == all && done == all;
    }

    private static List<Delay> delays() {
        return List.of(
                new Delay("pushed", "pushed", job -> Ending.millis(job.ended(), job.pushed())),
                new Delay("waiting", "waiting client", job -> Ending.millis(job.ended(), job.answered())),
                new Delay(
                        "record_pushed",
                        "from the event log's record, pushed",
                        job -> Ending.millis(job.recorded(), job.pushed())),
                new Delay(
                        "record_waiting",
                        "from the event log's record, waiting client",
                        job -> Ending.millis(job.recorded(), job.answered())));
    }

    private void notes(Report report, boolean looked) {
        report.note(
                "The time is from the job's own last act, which is earlier than the LRM's record of its end, where the"
                        + " budget begins: what the LRM takes to see and to record the end is in it.");
        report.note("A job takes one to two seconds, and one is submitted every " + every
                + " ms: its client waits by then, and the jobs are little load.");
        if (lrm == DirectLrm.CONDOR) {
            report.note(
                    looked
                            ? "HTCondor's record is its pool's event log, in milliseconds; the gateway reads another log, of the"
                                    + " jobs' account, which HTCondor writes at the same time."
                            : "From HTCondor's own record nothing was measured: " + EVENT_LOG
                                    + " names no log to read.");
        } else if (lrm != DirectLrm.FORK) {
            report.note(lrm.name() + " records whole seconds: nothing is measured from there.");
        }
    }

    private static long told(List<Ending> turn) {
        return turn.stream().filter(Ending::isTold).count();
    }
}
