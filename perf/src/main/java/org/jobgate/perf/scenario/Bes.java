// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.BesClient;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Activities of OGSA-BES, each by a CreateActivity of its own, and then many as the points of one parameter sweep; on a real LRM, to their end. */
@Command(
        name = "bes",
        description =
                "N activities by CreateActivity, then one sweep of M points: rates to the store, and to their end in the LRM")
public final class Bes extends Scenario {

    private static final int MOST_IDENTIFIERS = 2_000;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CREATION = Duration.ofMinutes(5);
    private static final Set<String> ENDS = Set.of("Finished", "Failed", "Cancelled");
    private static final String DONE = "Finished";
    private static final double SECONDS_PER_MINUTE = 60;

    @Option(
            names = "--activities",
            defaultValue = "1000",
            description = "how many, each by a request of its own, 2000 at most (default: ${DEFAULT-VALUE})")
    int activities;

    @Option(names = "--connections", defaultValue = "4", description = "by so many at once (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--points",
            defaultValue = "10000",
            description = "of the one sweep after them (default: ${DEFAULT-VALUE})")
    int points;

    @Option(
            names = "--seconds",
            defaultValue = "1800",
            description =
                    "how long the activities, and then the points, are watched at most; what has not ended by then is terminated and counted (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(
            names = "--lrm",
            defaultValue = "condor",
            description = "fork, condor, slurm or sge (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.CONDOR;

    /** With default options. */
    public Bes() {
        super("bes");
    }

    @Override
    LrmChoice lrm() throws IOException {
        String own = System.getProperty("user.name");
        return lrm.choice(own.equals("root") && lrm != DirectLrm.FORK ? "jobgate-a" : own, List.of());
    }

    @Override
    void checkOptions() {
        require(
                activities >= 1 && activities <= MOST_IDENTIFIERS,
                "--activities must be from 1 to " + MOST_IDENTIFIERS);
        require(connections >= 1 && seconds >= 1, "--connections and --seconds must be at least 1");
        require(points >= 2, "--points must be at least 2");
    }

    /** @param ended all of them, or as many as ended in time */
    private record Ended(long ended, long done, double seconds) {
        double perMinute() {
            return SECONDS_PER_MINUTE * ended / seconds;
        }
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        boolean whole = create(lab, report);
        try (BesClient client = new BesClient(lab.connection(lab.tls()))) {
            whole &= sweep(client, gateway, report);
        } catch (RefusedException e) {
            throw new IOException("the service refused a request about the sweep", e);
        }
        report.put("activities", activities)
                .put("connections", connections)
                .put("points", points)
                .put("lrm", lrm.toString())
                .put("seconds", seconds);
        return whole;
    }

    private boolean create(Lab lab, Report report) throws IOException, InterruptedException, GeneralSecurityException {
        progress(activities + " activities by " + connections + " connections ...");
        List<BesClient> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            clients.add(new BesClient(lab.connection(lab.tls())));
        }
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        String document = BesClient.document(1);
        try (Workers<BesClient> workers = new Workers<>(clients)) {
            long begin = System.nanoTime();
            Load.Result result = workers.send(
                    Pace.closedLoop(CREATION, activities), client -> ids.add(client.create(document, Load.newKey())));
            List<String> all = List.copyOf(ids);
            Ended ended = watch(begin, all.size(), () -> clients.getFirst().states(all));
            progress(Spread.show(result.perSecond()) + " activities a second, " + Spread.show(ended.perMinute())
                    + " ended a minute");
            report.number("activities_per_second", result.perSecond(), "activities created per second", Budget.NONE)
                    .latencies("create_ms", result.latencies().percentiles(), "CreateActivity, ms")
                    .number(
                            "activities_ended_per_minute",
                            ended.perMinute(),
                            "of these, ended per minute from the first request on",
                            Budget.NONE)
                    .count(
                            "activities_not_finished",
                            activities - ended.done(),
                            "of these, not Finished (refused, failed or not ended in time)",
                            Budget.atMost(0));
            if (result.firstFailure() != null) {
                report.put("first_error", result.firstFailure());
            }
            return ended.done() == activities;
        }
    }

    private boolean sweep(BesClient client, Gateway gateway, Report report)
            throws IOException, InterruptedException, RefusedException {
        progress("a sweep of " + points + " points ...");
        double cpu = gateway.figures().cpuSeconds();
        long begin = System.nanoTime();
        String id = client.create(BesClient.document(points), Load.newKey());
        double created = (System.nanoTime() - begin) / 1e9;
        Ended ended = watch(begin, points, () -> client.points(id));
        cpu = gateway.figures().cpuSeconds() - cpu;
        if (ended.ended() < points) {
            client.terminate(id);
        }
        progress("created in " + Spread.show(created) + " s, " + Spread.show(ended.perMinute()) + " ended a minute");
        report.number("sweep_create_s", created, "CreateActivity of the sweep, s", Budget.NONE)
                .number("points_stored_per_second", points / created, "points stored per second", Budget.NONE)
                .number(
                        "points_ended_per_minute",
                        ended.perMinute(),
                        "points ended per minute from the request on",
                        Budget.NONE)
                .number(
                        "server_cpu_ms_per_point",
                        1_000 * cpu / Math.max(1, ended.ended()),
                        "service's CPU per point that ended, ms",
                        Budget.NONE)
                .count("points_watched", ended.ended(), "points that ended in the time", Budget.NONE)
                .count("points_failed", ended.ended() - ended.done(), "of these, not Finished", Budget.atMost(0));
        return ended.ended() == ended.done();
    }

    @FunctionalInterface
    private interface States {
        Map<String, Long> now() throws IOException, RefusedException;
    }

    /** Looks until so many are over, or the time is. */
    private Ended watch(long begin, long many, States states) throws IOException, InterruptedException {
        long[] ended = new long[2];
        boolean unused = Waiting.until(Duration.ofSeconds(seconds), LOOK, () -> {
            try {
                Map<String, Long> now = requireNonNull(states.now());
                ended[0] = ENDS.stream()
                        .mapToLong(state -> now.getOrDefault(state, 0L))
                        .sum();
                ended[1] = now.getOrDefault(DONE, 0L);
                return ended[0] >= many;
            } catch (RefusedException e) {
                throw new IOException("the service refused to tell states", e);
            }
        });
        return new Ended(ended[0], ended[1], (System.nanoTime() - begin) / 1e9);
    }
}
