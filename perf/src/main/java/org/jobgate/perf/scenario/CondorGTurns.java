// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.scenario.CondorGRuns.Kind;
import org.jobgate.perf.scenario.CondorGRuns.Route;
import org.jobgate.perf.scenario.CondorGRuns.Turn;

/**
 * The jobs of Table 3 from one stock HTCondor: by {@code batch jobgate} (route C) and by {@code arc} (route A) through the gateway into another
 * HTCondor pool, in turn with the same jobs by {@code arc} to an A-REX and by {@code condor_submit} straight to that pool.
 */
final class CondorGTurns {

    private static final double BUDGET_BATCH = 1.5;
    private static final String PAPER = "the GRAM paper's Table 3, Condor-G and GRAM4 into Condor";

    private final Options options;
    private final Report report;
    private final DirectLrm.Direct as;
    private final CondorGRuns runs;
    private final Map<String, Map<String, Spread>> spans = new LinkedHashMap<>();

    /** What is asked for. */
    record Options(int jobs, int repeat, int warmup, List<Route> routes, boolean isStock) {

        Options {
            routes = List.copyOf(routes);
        }
    }

    private CondorGTurns(Options options, Report report, DirectLrm.Direct as, CondorGRuns runs) {
        this.options = requireNonNull(options, "options is null");
        this.report = report;
        this.as = as;
        this.runs = runs;
    }

    /** Measures; whether every job was done, every file came and nothing was left behind. */
    static boolean measure(Options options, Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        LabGrid grid = LabGrid.require();
        gateway.start();
        try (DirectLrm.Direct as = DirectLrm.Direct.of(grid.account().name());
                CondorClient client = new CondorClient(as, grid, lab, !options.isStock(), options.jobs())) {
            CondorGRuns runs =
                    new CondorGRuns(as, client, lab, gateway, grid.account().home());
            CondorGTurns turns = new CondorGTurns(options, report, as, runs);
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
                    report.put("versions", Map.of("A-REX", peer.version(), "HTCondor", runs.version()))
                            .note("A-REX gives its jobs to processes of this machine, not to HTCondor: less work. "
                                    + Arex.Kind.STOCK.backEnd());
                }
            }
        }
        if (!routes.contains(Route.AREX)) {
            report.put("versions", Map.of("HTCondor", runs.version()));
        }
        report.put("jobs", options.jobs());
        for (Kind kind : Kind.values()) {
            for (Route route : routes) {
                runs.turn(kind, route, arex, Math.min(options.jobs(), options.warmup()), "warm-up");
            }
            rows(kind, routes, arex);
        }
        told();
        report.put("seconds", spans);
        return runs.tell(report);
    }

    private void rows(Kind kind, List<Route> routes, String arex) throws IOException, InterruptedException {
        Map<Route, List<Turn>> turns = new LinkedHashMap<>();
        for (int i = 1; i <= options.repeat(); i++) {
            for (Route route : routes) {
                Turn turn = runs.turn(kind, route, arex, options.jobs(), "turn " + i);
                turns.computeIfAbsent(route, ignored -> new ArrayList<>()).add(turn);
                Scenario.progress(
                        kind.label() + ", turn " + i + ", " + route.label() + ": " + Spread.show(turn.over()) + " s");
            }
        }
        for (Route route : routes) {
            if (route.isOurs()) {
                report.row(row(kind, route, turns));
            }
        }
        turns.forEach((route, all) -> {
            spans.put(route.label() + ", " + kind.label(), spread(all));
            shares(kind, route, all);
        });
        if (turns.containsKey(Route.BATCH) && turns.containsKey(Route.DIRECT)) {
            report.number(
                    "batch_to_direct_" + kind.name().toLowerCase(Locale.ROOT),
                    median(turns.get(Route.BATCH)) / median(turns.get(Route.DIRECT)),
                    "batch jobgate / condor_submit, " + kind.label(),
                    Budget.atMost(BUDGET_BATCH));
        }
        if (turns.containsKey(Route.ARC)) {
            report.number(
                    "arc_seconds_" + kind.name().toLowerCase(Locale.ROOT),
                    median(turns.get(Route.ARC)),
                    "arc, s for " + options.jobs() + " jobs, " + kind.label() + " (asked: the paper's for 1000)",
                    Budget.atMost(kind.published().values().stream()
                            .min(Double::compare)
                            .orElseThrow()));
            if (turns.containsKey(Route.AREX)) {
                report.number(
                        "arc_to_arex_" + kind.name().toLowerCase(Locale.ROOT),
                        median(turns.get(Route.ARC)) / median(turns.get(Route.AREX)),
                        "arc / A-REX by the same Condor-G, " + kind.label(),
                        Budget.atMost(1));
            }
        }
    }

    /** Says what of a route's time is HTCondor's own. */
    private void shares(Kind kind, Route route, List<Turn> turns) {
        if (route == Route.DIRECT) {
            return;
        }
        String key = "_share_" + route.name().toLowerCase(Locale.ROOT) + "_"
                + kind.name().toLowerCase(Locale.ROOT);
        String of = ", part of the time of " + route.label() + ", " + kind.label();
        report.number(
                "sending" + key,
                Spread.of(turns.stream().map(Turn::shareOfSending).toList()).median(),
                "until HTCondor had sent the last job" + of,
                Budget.NONE);
        if (route.isOurs()) {
            report.number(
                    "learning" + key,
                    Spread.of(turns.stream().map(Turn::shareOfLearning).toList())
                            .median(),
                    "HTCondor's probes and fetching after the gateway's last job was over" + of,
                    Budget.NONE);
        }
    }

    private Row row(Kind kind, Route route, Map<Route, List<Turn>> turns) {
        Row row = new Row(route.label() + ": " + kind.label(), "s per " + options.jobs() + " jobs", Row.Better.LOWER);
        turns.forEach((other, all) -> all.forEach(turn -> {
            if (other == route) {
                row.ours(turn.over());
            } else if (!other.isOurs()) {
                row.peer(other.label(), turn.over());
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
        report.note(CondorClient.settings(options.isStock()));
    }
}
