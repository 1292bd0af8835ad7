// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
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
import tools.jackson.databind.JsonNode;

/**
 * The GRAM paper's Table 3: many jobs at once into HTCondor, without files, with 10 KB in and out, and with these in a directory of each
 * job's own that is cleaned up; the same jobs given to {@code condor_submit} in turn.
 */
@Command(
        name = "table3",
        description =
                "the paper's Table 3: 1000 jobs at once into HTCondor; none, 10 KB in and out, own directory and clean-up; beside condor_submit")
public final class Table3 extends Scenario {

    /** Which way the jobs come to the gateway. */
    enum Way {
        /** GRAM4, by the harness's own client. */
        GRAM("gram"),
        /** A stock HTCondor ({@link CondorGTurns}). */
        CONDOR_G("condor-g");

        private final String word;

        Way(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    private static final List<String> NO_OP = List.of("/bin/true");
    private static final double BUDGET_PLAIN = 1.05;
    private static final double BUDGET_FILES = 1.3;
    private static final Duration TIMEOUT = Duration.ofMinutes(60);
    private static final Duration DELEGATED = Duration.ofHours(12);
    private static final String CONDOR = "condor_submit";

    @Option(names = "--jobs", defaultValue = "1000", description = "jobs of one turn (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each kind (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(names = "--connections", defaultValue = "4", description = "to the gateway (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "a setting for the gateway's adapter; repeatable")
    List<String> options = new ArrayList<>();

    @Option(
            names = "--warmup",
            defaultValue = "200",
            description =
                    "jobs of each kind before, not counted: HTCondor has run for long too (default: ${DEFAULT-VALUE})")
    int warmup;

    @Option(
            names = "--door",
            defaultValue = "gram",
            description =
                    "gram, or condor-g: a stock HTCondor as the client, by the gateway's door for it and by ARC's, beside A-REX (default: ${DEFAULT-VALUE})")
    Way door = Way.GRAM;

    @Option(
            names = "--routes",
            paramLabel = "ROUTE",
            split = ",",
            defaultValue = "batch,arc,arex,direct",
            description =
                    "with --door condor-g: which of batch (jobgate-gahp), arc, arex (arc to an A-REX), direct (condor_submit) (default: ${DEFAULT-VALUE})")
    List<CondorGRuns.Route> routes = new ArrayList<>();

    @Option(names = "--stock", description = "with --door condor-g: leave HTCondor's settings at their defaults")
    boolean stock;

    private long refused;
    private long notDone;
    private long notSent;
    private final Map<String, Double> plainSeconds = new LinkedHashMap<>();

    /** With default options. */
    public Table3() {
        super("table3");
    }

    @Override
    void checkOptions() {
        require(warmup >= 1, "--warmup must be at least 1");
        require(door == Way.CONDOR_G || !stock, "--stock is for --door condor-g");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return DirectLrm.CONDOR.choice(LabGrid.require().account().name(), options);
    }

    @Override
    Optional<LabGrid> grid() throws IOException {
        return Optional.of(LabGrid.require());
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        if (door == Way.CONDOR_G) {
            return CondorGTurns.measure(
                    new CondorGTurns.Options(jobs, repeat, warmup, routes, stock), lab, gateway, report);
        }
        LabGrid grid = LabGrid.require();
        gateway.start();
        try (DirectLrm.Direct as = DirectLrm.Direct.of(grid.account().name());
                Sandbox sandbox = Sandbox.of(grid.account());
                Load load = SubmitRate.connect(lab, connections, true)) {
            String credential = delegate(lab);
            report.put("jobs", jobs)
                    .put(
                            "versions",
                            Map.of(
                                    "HTCondor",
                                    as.says("condor_version")
                                            .lines()
                                            .findFirst()
                                            .orElse("")));
            for (Kind kind : Kind.values()) {
                turn(load, gateway, sandbox, kind, credential, Math.min(jobs, warmup));
                rows(report, kind, load, gateway, sandbox, as, credential);
            }
        }
        ratios(report);
        report.count("refused", refused, "refused", Budget.atMost(0))
                .count("not_done", notDone, "jobs that did not end as Done", Budget.atMost(0))
                .count("not_sent", notSent, "jobs whose file did not arrive", Budget.atMost(0))
                .note(
                        "condor_submit moves files by HTCondor's own transfer into a directory of each job's own, which it removes: the same "
                                + "peer stands beside both kinds of ours that have files. Ours fetches and sends each file by GridFTP with a delegated "
                                + "credential, shared by all jobs.");
        return refused == 0 && notDone == 0 && notSent == 0;
    }

    private static String delegate(Lab lab) throws IOException, GeneralSecurityException {
        try (GramClient client = lab.client(lab.tls())) {
            return client.delegate(lab.signer(), DELEGATED);
        } catch (RefusedException e) {
            throw new IOException("the service refused a delegation", e);
        }
    }

    private void rows(
            Report report,
            Kind kind,
            Load load,
            Gateway gateway,
            Sandbox sandbox,
            DirectLrm.Direct as,
            String credential)
            throws IOException, InterruptedException {
        Row row = new Row(kind.label, "s per " + jobs + " jobs", Row.Better.LOWER);
        for (int i = 1; i <= repeat; i++) {
            double seconds = turn(load, gateway, sandbox, kind, credential, jobs);
            row.ours(seconds);
            double theirs = direct(as, sandbox, kind, i);
            row.peer(CONDOR, theirs);
            progress(kind.label + ", turn " + i + ": " + Spread.show(seconds) + " s, condor_submit "
                    + Spread.show(theirs) + " s");
        }
        plainSeconds.put(kind.label, row.ours().median());
        report.row(row);
    }

    private double turn(Load load, Gateway gateway, Sandbox sandbox, Kind kind, String credential, int number)
            throws IOException, InterruptedException {
        List<JsonNode> before = gateway.admin().jobs("");
        String last = before.isEmpty() ? "" : before.getLast().path("id").asString();
        long sentBefore = sandbox.sent();
        long begin = System.nanoTime();
        Load.Result result = load.send(
                Pace.closedLoop(TIMEOUT, number), client -> client.create(kind.request(load, sandbox, credential)));
        Progress progress = Progress.of(kind.label, number);
        boolean over = Waiting.until(TIMEOUT, () -> {
            long live = gateway.admin().status().path("liveJobs").asLong(1);
            progress.at(number - live);
            return live == 0;
        });
        progress.end();
        double seconds = (System.nanoTime() - begin) / 1e9;
        long done = gateway.admin().jobs(last).stream()
                .map(JobRecord::of)
                .filter(job -> job.state().equals("DONE"))
                .count();
        refused += result.failed();
        notDone += over ? number - done : number;
        notSent += kind.hasFiles ? number - (sandbox.sent() - sentBefore) : 0;
        return seconds;
    }

    private double direct(DirectLrm.Direct as, Sandbox sandbox, Kind kind, int turn)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        String tag = "jg3" + kind.name().toLowerCase(java.util.Locale.ROOT) + turn;
        if (kind.hasFiles) {
            DirectLrm.condor(as, jobs, tag, NO_OP, transfers(sandbox.input(), as.directory()));
        } else {
            DirectLrm.CONDOR.run(as, jobs, tag, NO_OP);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The file that is brought is sent back under a name of each job's own. */
    private static String transfers(Path input, Path directory) {
        return """
                should_transfer_files = YES
                when_to_transfer_output = ON_EXIT
                transfer_input_files = %s
                transfer_output_files = %s
                transfer_output_remaps = "%s=%s/out.$(Cluster).$(Process)"
                """.formatted(input, input.getFileName(), input.getFileName(), directory);
    }

    private void ratios(Report report) {
        double plain = plainSeconds.getOrDefault(Kind.NONE.label, 0.0);
        for (Kind kind : Kind.values()) {
            if (kind.hasFiles && plain > 0) {
                report.number(
                        "ratio_" + kind.name().toLowerCase(java.util.Locale.ROOT) + "_to_none",
                        plainSeconds.getOrDefault(kind.label, 0.0) / plain,
                        "our " + kind.label + " / our none (the paper: 2.7)",
                        Budget.atMost(BUDGET_FILES));
            }
        }
        report.put("budget_of_none", "ours / condor_submit <= " + BUDGET_PLAIN);
    }

    /** The rows. */
    private enum Kind {
        NONE("none", false),
        FILES("10 KB in and out", true),
        OWN_DIRECTORY("10 KB in and out, own directory, clean-up", true);

        private final String label;
        private final boolean hasFiles;

        Kind(String label, boolean hasFiles) {
            this.label = label;
            this.hasFiles = hasFiles;
        }

        JobRequest request(Load load, Sandbox sandbox, String credential) {
            String key = Load.newKey();
            JobRequest plain = JobRequest.noOp(key, load.terminationTime());
            return switch (this) {
                case NONE -> plain;
                case FILES -> plain.with(sandbox.inAndOut(credential, key));
                case OWN_DIRECTORY -> plain.with(sandbox.inOwnDirectory(credential, key));
            };
        }
    }
}
