// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.ArcClient;
import org.jobgate.perf.wire.RefusedException;

/**
 * Rates of ARC's REST interface: the same clients ask our gateway and each A-REX by turns.
 *
 * @param connections of one side
 * @param bulk jobs of one request
 * @param repeat turns
 * @param seconds of a turn of one side
 * @param warmup seconds of each side before, not counted
 * @param most jobs that a turn creates
 */
record ArcRates(int connections, int bulk, int repeat, int seconds, int warmup, long most) {

    /** What A-REX did: one connection, eight, and many jobs in a request. */
    private static final Map<String, Double> BEFORE = Map.of("1", 21.7, "8", 93.0, "bulk", 315.0);

    private static final String FAILED = "refused or failed";

    /** Jobs per second that wait for a file of their client when they are created, so that nothing but the create is measured. */
    boolean submit(Lab lab, Report report) throws IOException, InterruptedException, GeneralSecurityException {
        String what = connections + " connections, " + bulk + " jobs in a request: jobs taken";
        Row row = new Row(what, "jobs/s", Row.Better.HIGHER);
        Double before = bulk > 1 ? BEFORE.get("bulk") : BEFORE.get(Integer.toString(connections));
        if (before != null) {
            row.published("A-REX", before, ArcSide.BEFORE);
        }
        String adl = ArcSide.waitingJob();
        boolean good = turns(lab, report, row, side -> new Turn(side) {
            private final ConcurrentLinkedQueue<List<String>> created = new ConcurrentLinkedQueue<>();

            @Override
            void ask(ArcClient client) throws IOException, RefusedException {
                created.add(client.create(Collections.nCopies(bulk, adl)));
            }

            @Override
            void end() throws IOException, RefusedException {
                if (!side.isOurs()) {
                    side.remove(created.stream().flatMap(List::stream).toList());
                }
            }
        });
        report.note(
                "The jobs name a file that their client brings, and never does: neither service gives them to its LRM. A-REX's are"
                        + " removed after each turn, which is not counted; ours stay.");
        return good;
    }

    /**
     * States told per second.
     *
     * @param live jobs of each side
     */
    boolean status(Lab lab, Report report, int live)
            throws IOException, InterruptedException, GeneralSecurityException {
        String what = connections + " connections, " + bulk + " of " + live + " jobs in a request: states told";
        boolean good = turns(lab, report, new Row(what, "states/s", Row.Better.HIGHER), side -> {
            List<String> all = side.waiting(live);
            return new Turn(side) {
                @Override
                void ask(ArcClient client) throws IOException, RefusedException {
                    int from = ThreadLocalRandom.current().nextInt(all.size() - bulk + 1);
                    int told = client.states(List.copyOf(all.subList(from, from + bulk)))
                            .size();
                    if (told < bulk) {
                        throw new RefusedException(200, told + " of " + bulk + " states were told");
                    }
                }

                @Override
                void end() throws IOException, RefusedException {
                    side.remove(all);
                }
            };
        });
        report.put("live_jobs", live);
        return good;
    }

    private boolean turns(Lab lab, Report report, Row row, Preparation preparation)
            throws IOException, InterruptedException, GeneralSecurityException {
        Map<String, Long> failures = new LinkedHashMap<>();
        long ours = 0;
        try (Sandbox sandbox = Sandbox.of(LabGrid.require().account())) {
            List<ArcSide> sides = ArcSide.all(lab, report, sandbox.directory());
            // the first turn of each is its warm-up
            for (int i = 0; i <= repeat; i++) {
                List<String> shown = new ArrayList<>();
                for (ArcSide side : sides) {
                    Load.Result result = turn(side, preparation, i == 0 ? warmup : seconds);
                    double rate = result.perSecond() * bulk;
                    shown.add(side.name() + " " + Spread.show(rate));
                    failures.merge(side.name(), result.failed(), Long::sum);
                    if (result.firstFailure() != null) {
                        Scenario.progress(side.name() + ": " + result.firstFailure());
                    }
                    if (side.isOurs()) {
                        ours += result.failed();
                    }
                    if (i > 0 && side.isOurs()) {
                        row.ours(rate);
                    } else if (i > 0) {
                        row.peer(side.name(), rate);
                    }
                }
                Scenario.progress((i == 0 ? "warm-up" : "turn " + i) + ": " + String.join(", ", shown) + " a second");
            }
        }
        report.row(row)
                .put("failures", failures)
                .put("connections", connections)
                .put("in_a_request", bulk)
                .count("errors", ours, FAILED, Budget.atMost(0));
        return ours == 0;
    }

    private Load.Result turn(ArcSide side, Preparation preparation, int forSeconds)
            throws IOException, InterruptedException {
        try (Workers<ArcClient> workers = side.workers(connections)) {
            Turn turn = preparation.of(side);
            Load.Result result =
                    workers.send(Pace.closedLoop(Duration.ofSeconds(forSeconds), Math.max(1, most / bulk)), turn::ask);
            turn.end();
            return result;
        } catch (RefusedException e) {
            throw new IOException(side.name() + " refused what a turn needs", e);
        }
    }

    /** Makes what a turn needs. */
    @FunctionalInterface
    private interface Preparation {
        Turn of(ArcSide side) throws IOException, RefusedException;
    }

    /** A turn of one side. */
    private abstract static class Turn {
        final ArcSide side;

        Turn(ArcSide side) {
            this.side = side;
        }

        /** One request. */
        abstract void ask(ArcClient client) throws IOException, RefusedException;

        /** After the last one. */
        abstract void end() throws IOException, RefusedException;
    }
}
