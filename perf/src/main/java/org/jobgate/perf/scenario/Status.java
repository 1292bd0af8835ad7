// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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

/** How many states of jobs the service tells per second, while so many of its jobs live. */
@Command(
        name = "status",
        description =
                "states of jobs told per second on N keep-alive connections; by ARC's door also many of one request, beside A-REX")
public final class Status extends Scenario {

    @Option(
            names = "--door",
            defaultValue = "gram",
            description = "gram, or arc: beside A-REX (default: ${DEFAULT-VALUE})")
    Door door = Door.GRAM;

    @Option(names = "--connections", defaultValue = "1", description = "how many (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--bulk",
            paramLabel = "N",
            defaultValue = "1",
            description = "jobs of one request, by ARC's door (default: ${DEFAULT-VALUE})")
    int bulk;

    @Option(
            names = "--live",
            paramLabel = "N",
            defaultValue = "1000",
            description = "jobs that live meanwhile (default: ${DEFAULT-VALUE})")
    int live;

    @Option(names = "--seconds", defaultValue = "5", description = "length of a turn (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--repeat", defaultValue = "5", description = "turns that count (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "seconds of the same before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    /** With default options. */
    public Status() {
        super("status");
    }

    @Override
    void checkOptions() {
        require(connections > 0 && repeat > 0 && seconds > 0 && warmup > 0, "all numbers must be at least 1");
        require(bulk > 0 && live >= bulk, "--bulk wants 1 to --live, and has " + bulk);
        require(
                door == Door.ARC || bulk == 1,
                "--bulk is for --door arc: a request of GRAM4 tells the state of one job");
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
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        if (door == Door.ARC) {
            return new ArcRates(connections, bulk, repeat, seconds, warmup, Long.MAX_VALUE).status(lab, report, live);
        }
        Row row = new Row(
                connections + " connections, 1 of " + live + " jobs in a request: states told",
                "states/s",
                Row.Better.HIGHER);
        long failed = 0;
        try (Load load = SubmitRate.connect(lab, connections, false)) {
            List<String> ids = jobs(lab, load);
            for (int i = 0; i <= repeat; i++) {
                Load.Result result = load.send(
                        Pace.closedLoop(Duration.ofSeconds(i == 0 ? warmup : seconds), Long.MAX_VALUE),
                        client ->
                                client.view(ids.get(ThreadLocalRandom.current().nextInt(ids.size()))));
                failed += result.failed();
                if (i > 0) {
                    row.ours(result.perSecond());
                    progress("turn " + i + ": " + Spread.show(result.perSecond()) + " states/s");
                }
            }
        }
        report.row(row)
                .put("live_jobs", live)
                .put("connections", connections)
                .count("errors", failed, "refused or failed", Budget.atMost(0));
        return failed == 0;
    }

    private List<String> jobs(Lab lab, Load load) throws IOException, GeneralSecurityException {
        List<String> ids = new ArrayList<>();
        try (GramClient client = lab.client(lab.tls())) {
            for (int i = 0; i < live; i++) {
                ids.add(client.create(
                        JobRequest.noOp(Load.newKey(), load.terminationTime()).held()));
            }
        } catch (RefusedException e) {
            throw new IOException("the service refused a job that is asked for", e);
        }
        return ids;
    }
}
