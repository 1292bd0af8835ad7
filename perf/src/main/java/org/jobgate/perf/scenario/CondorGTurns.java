// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;

/**
 * The jobs of Table 3 from one stock HTCondor: by {@code batch jobgate} (route C) and by {@code arc} (route A) through the gateway into another
 * HTCondor pool, in turn with the same jobs by {@code arc} to an A-REX and by {@code condor_submit} straight to that pool.
 */
final class CondorGTurns {

    /** What HTCondor writes into a log of jobs: that they are at the resource, over, removed, held. */
    private static final String SENT = "027 ";

    private static final String OVER = "005 ";
    private static final String REMOVED = "009 ";
    private static final String HELD = "012 ";
    private static final Duration TIMEOUT = Duration.ofMinutes(60);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CLEANED = Duration.ofMinutes(2);
    private static final double BUDGET_BATCH = 1.5;
    private static final int FILE_BYTES = 10_240;
    private static final String PAPER = "the GRAM paper's Table 3, Condor-G and GRAM4 into Condor";

    private final Options options;
    private final Report report;
    private final DirectLrm.Direct as;
    private final CondorClient client;
    private final Lab lab;
    private final Gateway gateway;
    private final Path home;
    private final Map<String, Map<String, Spread>> spans = new LinkedHashMap<>();
    private long notDone;
    private long notArrived;
    private long leftBehind;

    /** What is asked for. */
    record Options(int jobs, int repeat, int warmup, List<Route> routes, boolean isStock) {

        Options {
            routes = List.copyOf(routes);
        }
    }

    /** Where the jobs go. */
    enum Route {
        /** {@code jobgate-gahp}. */
        BATCH("batch jobgate"),
        /** ARC's REST interface. */
        ARC("arc"),
        /** The same of an A-REX. */
        AREX("Condor-G to A-REX"),
        /** No Condor-G. */
        DIRECT("condor_submit");

        private final String label;

        Route(String label) {
            this.label = label;
        }

        boolean isOurs() {
            return this == BATCH || this == ARC;
        }
    }

    /** The rows; each job has a directory of its own that is removed behind it, whether it has files or not. */
    private enum Kind {
        NONE("none"),
        FILES("10 KB in and out, own directory, clean-up");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Seconds for 1000 jobs in the paper. */
        Map<String, Double> published() {
            return this == NONE
                    ? Map.of("none", 2100.0)
                    : Map.of("10 KB in and out", 3779.0, "10 KB in and out, own directory, clean-up", 5695.0);
        }
    }

    /**
     * How long a turn took, in seconds from its begin.
     *
     * @param sent until HTCondor had every job at the resource
     * @param idle until the gateway had no live job any more; 0 where it is not ours
     * @param over until HTCondor knew of every job that it is over, and had its files
     */
    private record Turn(double sent, double idle, double over) {}

    private CondorGTurns(
            Options options,
            Report report,
            DirectLrm.Direct as,
            CondorClient client,
            Lab lab,
            Gateway gateway,
            Path home) {
        this.options = requireNonNull(options, "options is null");
        this.report = report;
        this.as = as;
        this.client = client;
        this.lab = lab;
        this.gateway = gateway;
        this.home = home;
    }

    /** Measures; whether every job was done, every file came and nothing was left behind. */
    static boolean measure(Options options, Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        LabGrid grid = LabGrid.require();
        gateway.start();
        try (DirectLrm.Direct as = DirectLrm.Direct.of(grid.account().name());
                CondorClient client = new CondorClient(as, grid, lab, !options.isStock(), options.jobs())) {
            Files.write(as.write("10k", "").toAbsolutePath(), new byte[FILE_BYTES]);
            CondorGTurns turns = new CondorGTurns(
                    options, report, as, client, lab, gateway, grid.account().home());
            return turns.all(grid);
        }
    }

    private boolean all(LabGrid grid) throws IOException, InterruptedException, GeneralSecurityException {
        List<Route> routes = new ArrayList<>(options.routes());
        String arex = "";
        if (routes.contains(Route.AREX)) {
            try (Arex peer = new Arex(Arex.Kind.STOCK, grid, as.directory())) {
                Optional<String> absence = peer.absence();
                if (absence.isPresent()) {
                    Scenario.progress("SKIPPED: A-REX is not measured: " + absence.get());
                    report.note("A-REX was skipped: " + absence.get());
                    routes.remove(Route.AREX);
                } else {
                    arex = "https://localhost:" + peer.port() + "/arex/rest/1.0";
                    report.put("versions", Map.of("A-REX", peer.version(), "HTCondor", version()))
                            .note("A-REX gives its jobs to processes of this machine, not to HTCondor: less work. "
                                    + Arex.Kind.STOCK.backEnd());
                }
            }
        }
        if (!routes.contains(Route.AREX)) {
            report.put("versions", Map.of("HTCondor", version()));
        }
        report.put("jobs", options.jobs());
        for (Kind kind : Kind.values()) {
            for (Route route : routes) {
                turn(kind, route, arex, Math.min(options.jobs(), options.warmup()), "warm-up");
            }
            rows(kind, routes, arex);
        }
        told();
        report.put("seconds", spans)
                .count("not_done", notDone, "jobs that were held, removed or not over in an hour", Budget.atMost(0))
                .count("not_arrived", notArrived, "files that did not come back", Budget.atMost(0))
                .count("left_behind", leftBehind, "session directories left at the gateway", Budget.atMost(0));
        return notDone == 0 && notArrived == 0 && leftBehind == 0;
    }

    private String version() throws IOException, InterruptedException {
        return as.says("condor_version").lines().findFirst().orElse("");
    }

    private void rows(Kind kind, List<Route> routes, String arex) throws IOException, InterruptedException {
        Map<Route, List<Turn>> turns = new LinkedHashMap<>();
        for (int i = 1; i <= options.repeat(); i++) {
            for (Route route : routes) {
                Turn turn = turn(kind, route, arex, options.jobs(), "turn " + i);
                turns.computeIfAbsent(route, ignored -> new ArrayList<>()).add(turn);
                Scenario.progress(
                        kind.label + ", turn " + i + ", " + route.label + ": " + Spread.show(turn.over()) + " s");
            }
        }
        for (Route route : routes) {
            if (route.isOurs()) {
                report.row(row(kind, route, turns));
            }
        }
        turns.forEach((route, all) -> spans.put(route.label + ", " + kind.label, spread(all)));
        if (turns.containsKey(Route.BATCH) && turns.containsKey(Route.DIRECT)) {
            report.number(
                    "batch_to_direct_" + kind.name().toLowerCase(Locale.ROOT),
                    median(turns.get(Route.BATCH)) / median(turns.get(Route.DIRECT)),
                    "batch jobgate / condor_submit, " + kind.label,
                    Budget.atMost(BUDGET_BATCH));
        }
        if (turns.containsKey(Route.ARC)) {
            report.number(
                    "arc_seconds_" + kind.name().toLowerCase(Locale.ROOT),
                    median(turns.get(Route.ARC)),
                    "arc, s for " + options.jobs() + " jobs, " + kind.label + " (asked: the paper's for 1000)",
                    Budget.atMost(kind.published().values().stream()
                            .min(Double::compare)
                            .orElseThrow()));
            if (turns.containsKey(Route.AREX)) {
                report.number(
                        "arc_to_arex_" + kind.name().toLowerCase(Locale.ROOT),
                        median(turns.get(Route.ARC)) / median(turns.get(Route.AREX)),
                        "arc / A-REX by the same Condor-G, " + kind.label,
                        Budget.atMost(1));
            }
        }
    }

    private Row row(Kind kind, Route route, Map<Route, List<Turn>> turns) {
        Row row = new Row(route.label + ": " + kind.label, "s per " + options.jobs() + " jobs", Row.Better.LOWER);
        turns.forEach((other, all) -> all.forEach(turn -> {
            if (other == route) {
                row.ours(turn.over());
            } else if (!other.isOurs()) {
                row.peer(other.label, turn.over());
            }
        }));
        kind.published().forEach((what, seconds) -> row.published(what, seconds, PAPER));
        return row;
    }

    private static double median(List<Turn> turns) {
        return Spread.of(turns.stream().map(Turn::over).toList()).median();
    }

    private static Map<String, Spread> spread(List<Turn> turns) {
        Map<String, Spread> spread = new LinkedHashMap<>();
        spread.put("at_the_resource", Spread.of(turns.stream().map(Turn::sent).toList()));
        spread.put(
                "over_at_the_gateway", Spread.of(turns.stream().map(Turn::idle).toList()));
        spread.put("known_to_htcondor", Spread.of(turns.stream().map(Turn::over).toList()));
        return spread;
    }

    /** Says what of the time is HTCondor's own. */
    private void told() {
        report.note(
                "Of each route 'seconds' tells when HTCondor had the last job at the resource (its requests go one after another), when the gateway had "
                        + "none that lived, and when HTCondor knew of the last that it is over: what lies between the last two is its probes and its fetching.");
        if (options.isStock()) {
            report.note(
                    "HTCondor's settings are its defaults, but for GRIDMANAGER_MAX_SUBMITTED_JOBS_PER_RESOURCE where there are more than 1000 jobs.");
            return;
        }
        StringBuilder set =
                new StringBuilder("HTCondor's settings that its manual allows, with the default behind each: ");
        CondorClient.KNOBS.forEach(
                (knob, usual) -> set.append(knob).append(" (").append(usual).append("), "));
        report.note(set + "as of the pool that runs the jobs CONDOR_FSYNC and ENABLE_USERLOG_FSYNC are False (True).");
    }

    private Turn turn(Kind kind, Route route, String arex, int number, String name)
            throws IOException, InterruptedException {
        String tag = route.name().toLowerCase(Locale.ROOT) + "-" + kind.name().toLowerCase(Locale.ROOT);
        Path log = as.directory().resolve(tag + ".log");
        Files.deleteIfExists(log);
        Path file = as.write(tag + ".sub", description(kind, route, arex, tag, log, number));
        Progress progress = Progress.of(route.label + ", " + kind.label + ", " + name, number);
        long before = route.isOurs() ? count(sessions()) : 0;
        long begin = System.nanoTime();
        if (route == Route.DIRECT) {
            as.run("condor_submit", "-terse", file.toString());
        } else {
            client.submit(file);
        }
        double[] reached = new double[3];
        boolean isOver = Waiting.until(TIMEOUT, LOOK, () -> {
            Events events = Events.of(log);
            double now = (System.nanoTime() - begin) / 1e9;
            if (reached[0] == 0 && events.count(SENT) >= number) {
                reached[0] = now;
            }
            if (route.isOurs() && gateway.admin().status().path("liveJobs").asLong(1) > 0) {
                reached[1] = now;
            }
            progress.at(events.count(OVER));
            reached[2] = now;
            return events.count(OVER) + events.count(REMOVED) + events.count(HELD) >= number;
        });
        progress.end();
        long done = Events.of(log).count(OVER);
        notDone += number - done;
        if (!isOver || done < number) {
            Scenario.progress("only " + done + " of " + number + " are done: "
                    + Events.of(log).trouble() + "\n" + client.lastWords());
        }
        notArrived += kind == Kind.FILES ? number - arrived(tag) : 0;
        leftBehind += route.isOurs() ? left(before) : 0;
        return new Turn(reached[0], reached[1], reached[2]);
    }

    private String description(Kind kind, Route route, String arex, String tag, Path log, int number) {
        String where = switch (route) {
            case BATCH -> "universe = grid\ngrid_resource = batch jobgate\n";
            case ARC -> "universe = grid\ngrid_resource = arc " + lab.url() + "/arex/rest/1.0\n";
            case AREX -> "universe = grid\ngrid_resource = arc " + arex + "\n";
            case DIRECT -> "universe = vanilla\n";
        };
        String files = kind == Kind.NONE
                ? (route == Route.DIRECT ? "should_transfer_files = NO\n" : "")
                : """
                should_transfer_files = YES
                when_to_transfer_output = ON_EXIT
                transfer_input_files = %1$s/10k
                transfer_output_files = 10k
                transfer_output_remaps = "10k=%1$s/out.%2$s.$(Process)"
                """.formatted(as.directory(), tag);
        return where
                + """
                executable = /bin/true
                transfer_executable = false
                %s%snotification = never
                log = %s
                queue %d
                """.formatted(
                        route == Route.DIRECT ? "" : "x509userproxy = " + lab.proxy() + "\n", files, log, number);
    }

    /** How many files of the turn came back; they are removed. */
    private long arrived(String tag) throws IOException {
        long arrived = 0;
        try (Stream<Path> files = Files.list(as.directory())) {
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith("out." + tag + "."))
                    .toList()) {
                arrived += Files.size(file) == FILE_BYTES ? 1 : 0;
                Files.delete(file);
            }
        }
        return arrived;
    }

    /** How many directories of jobs the gateway has left, a while after the last was over. */
    private long left(long before) throws IOException, InterruptedException {
        boolean none = Waiting.until(CLEANED, LOOK, () -> count(sessions()) <= before);
        return none ? 0 : count(sessions()) - before;
    }

    /** There may be some of earlier gateways. */
    private Path sessions() {
        return home.resolve(".jobgate/arc");
    }

    private static long count(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return 0;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    /** What a log of jobs has, by the numbers with which its entries begin. */
    private record Events(List<String> lines) {

        static Events of(Path log) throws IOException {
            return new Events(Files.exists(log) ? Files.readAllLines(log, StandardCharsets.ISO_8859_1) : List.of());
        }

        long count(String event) {
            return lines.stream().filter(line -> line.startsWith(event)).count();
        }

        /** Why the first job is held, if one is. */
        String trouble() {
            for (int i = 0; i + 1 < lines.size(); i++) {
                if (lines.get(i).startsWith(HELD)) {
                    return lines.get(i + 1).strip();
                }
            }
            return "none is held";
        }
    }
}
