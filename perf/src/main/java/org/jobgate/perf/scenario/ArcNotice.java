// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.ArcClient;
import org.jobgate.perf.wire.RefusedException;

/**
 * How late a client of ARC's REST interface learns of the end of a job when it asks for the states of all its jobs by one request, again and
 * again: from the job's own last act. Ours and each A-REX by turns, the same jobs.
 *
 * @param jobs of a turn
 * @param repeat turns
 * @param every from one submission to the next
 */
record ArcNotice(int jobs, int repeat, Duration every) {

    private static final Duration ASKED_EVERY = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final double BUDGET_MS = 2_000;
    private static final Set<String> ENDS = Set.of("FINISHED", "FAILED", "KILLED", "WIPED");

    boolean measure(Lab lab, Report report) throws IOException, InterruptedException, GeneralSecurityException {
        Row median = new Row("state FINISHED told: median of a turn", "ms", Row.Better.LOWER);
        Row greatest = new Row("state FINISHED told: greatest of a turn", "ms", Row.Better.LOWER);
        List<Double> all = new ArrayList<>();
        long notTold = 0;
        Account account = LabGrid.require().account();
        try (Sandbox sandbox = Sandbox.of(account)) {
            List<ArcSide> sides = ArcSide.all(lab, report, sandbox.directory());
            for (int i = 0; i <= repeat; i++) {
                for (ArcSide side : sides) {
                    // the first turn of each, of a few jobs, is its warm-up
                    int number = i == 0 ? Math.min(jobs, 3) : jobs;
                    Turn turn = turn(side, sandbox, account, number);
                    if (i > 0 && !turn.millis().isEmpty()) {
                        Spread spread = Spread.of(turn.millis());
                        if (side.isOurs()) {
                            median.ours(spread.median());
                            greatest.ours(spread.max());
                            all.addAll(turn.millis());
                        } else {
                            median.peer(side.name(), spread.median());
                            greatest.peer(side.name(), spread.max());
                        }
                        Scenario.progress("turn " + i + ", " + side.name() + ": " + Spread.show(spread.median())
                                + " ms, at most " + Spread.show(spread.max()));
                    }
                    if (side.isOurs()) {
                        notTold += number - turn.millis().size();
                    }
                }
            }
        }
        report.row(median)
                .row(greatest)
                .number(
                        "greatest_ms",
                        all.isEmpty() ? 0 : Spread.of(all).max(),
                        "the latest of all turns, ms",
                        Budget.atMost(BUDGET_MS))
                .count("not_told", notTold, "jobs whose end was not told as FINISHED", Budget.atMost(0))
                .note("The states of all jobs are asked for by one request every " + ASKED_EVERY.toMillis()
                        + " ms. What a job's LRM takes to see its end is in the time.");
        return notTold == 0;
    }

    private record Turn(List<Double> millis) {}

    private Turn turn(ArcSide side, Sandbox sandbox, Account account, int number)
            throws IOException, InterruptedException {
        // an A-REX of the lab runs its jobs in a system of its own, whose /tmp we see at another path
        Path seen = side.isOurs()
                ? Files.createTempDirectory(sandbox.directory(), "arc")
                : Files.createTempDirectory(side.arex().orElseThrow().root().resolve("tmp"), "jobgate-perf-");
        account.own(seen);
        Path theirs = side.isOurs() ? seen : Path.of("/tmp").resolve(seen.getFileName());
        try (ArcClient client = side.connections().get()) {
            return watch(client, side, seen, theirs, number);
        } catch (RefusedException e) {
            throw new IOException(side.name() + " refused a request", e);
        } finally {
            if (!side.isOurs()) {
                remove(seen);
            }
        }
    }

    private Turn watch(ArcClient client, ArcSide side, Path seen, Path theirs, int number)
            throws IOException, RefusedException, InterruptedException {
        Map<String, Integer> open = new HashMap<>();
        Map<Integer, Instant> told = new HashMap<>();
        List<String> ids = new ArrayList<>();
        long begin = System.nanoTime();
        while (ids.size() < number || !open.isEmpty()) {
            long now = System.nanoTime() - begin;
            if (now > TIMEOUT.plus(every.multipliedBy(number)).toNanos()) {
                Scenario.progress(side.name() + ": the end of " + open.size() + " jobs was not told within " + TIMEOUT);
                break;
            }
            if (ids.size() < number && now >= every.toNanos() * ids.size()) {
                LastAct act = LastAct.of(theirs, ids.size());
                String id = client.create(List.of(ArcClient.adl(act.program(), false)))
                        .getFirst();
                open.put(id, ids.size());
                ids.add(id);
            }
            if (!open.isEmpty()) {
                Map<String, String> states = client.states(List.copyOf(open.keySet()));
                Instant answered = Instant.now();
                for (Map.Entry<String, String> state : states.entrySet()) {
                    Integer place = ENDS.contains(state.getValue()) ? open.remove(state.getKey()) : null;
                    if (place != null && state.getValue().equals("FINISHED")) {
                        told.put(place, answered);
                    }
                }
            }
            Thread.sleep(ASKED_EVERY);
        }
        List<Double> millis = new ArrayList<>();
        for (Map.Entry<Integer, Instant> end : told.entrySet()) {
            LastAct.of(seen, end.getKey())
                    .ended()
                    .ifPresent(act ->
                            millis.add(Duration.between(act, end.getValue()).toNanos() / 1e6));
        }
        client.remove(ids);
        return new Turn(millis);
    }

    private static void remove(Path directory) throws IOException {
        try (var tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
