// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.peer.Work;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Option;

/** Many jobs from several threads into the LRM, by CREAM2 or by GRAM4. What fails is counted by its reason. */
abstract class Submitters extends Scenario {

    static final String SLIDES = "the CREAM slides, 2006";
    static final Duration DELEGATED = Duration.ofHours(12);
    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final double MS_PER_MINUTE = 60_000;
    private static final int WARM_UP_JOBS = 3;

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description = "fork, condor, slurm or sge (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    @Option(
            names = "--door",
            defaultValue = "cream2",
            description =
                    "cream2, or gram: GT4's delegation and GRAM4's create; of ice also condor-g: a stock HTCondor as the client (default: ${DEFAULT-VALUE})")
    SubmitDoor door = SubmitDoor.CREAM2;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "only these: a-rex, a-rex-tuned; none for none (default: all that are there)")
    List<String> chosen = new ArrayList<>();

    @Option(
            names = "--peer-jobs",
            defaultValue = "100",
            description = "jobs of a turn beside A-REX, ours and its own, at most (default: ${DEFAULT-VALUE})")
    int peerJobs;

    @Option(names = "--repeat", defaultValue = "1", description = "runs of each (default: ${DEFAULT-VALUE})")
    int repeat;

    private final Map<String, Long> reasons = new LinkedHashMap<>();
    private final Map<String, ArexSubmitters> peers = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> peerFailures = new LinkedHashMap<>();
    long lost;

    Submitters(String name) {
        super(name);
    }

    @Override
    LrmChoice lrm() throws IOException {
        return lrm.choice(LabGrid.require().account().name(), List.of());
    }

    @Override
    Optional<LabGrid> grid() throws IOException {
        return Optional.of(LabGrid.require());
    }

    /** The runs. */
    abstract void measure(Lab lab, Gateway gateway, Report report, Sandbox sandbox)
            throws IOException, InterruptedException, GeneralSecurityException;

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        try (Sandbox sandbox = Sandbox.of(LabGrid.require().account())) {
            findPeers(report, sandbox);
            measure(lab, gateway, report, sandbox);
        }
        report.put("failures_of_peers", peerFailures);
        peerFailures.forEach((peer, why) -> report.note(peer + " failed, and was left out from then on: " + why));
        report.put("lrm", lrm.name())
                .put("failures", reasons)
                .count("lost", lost, "jobs that failed, or were refused", Budget.atMost(0))
                .number("rss_peak_mib", gateway.figures().peakResidentMiB(), "resident at its most, MiB", Budget.NONE)
                .put("door", door.name())
                .note(door.remark());
        return lost == 0;
    }

    private void findPeers(Report report, Sandbox sandbox) throws IOException, InterruptedException {
        Map<String, String> versions = new LinkedHashMap<>();
        for (Arex.Kind kind : Arex.Kind.values()) {
            LabGrid grid = LabGrid.require();
            Arex arex = new Arex(kind, grid, sandbox.directory());
            if (door == SubmitDoor.CONDOR_G || (!chosen.isEmpty() && !chosen.contains(arex.optionName()))) {
                continue;
            }
            if (lrm != DirectLrm.FORK) {
                report.note(arex.name() + " was left out: the lab's has its fork back end only.");
                continue;
            }
            ArexSubmitters turn = new ArexSubmitters(() -> new Arex(kind, grid, sandbox.directory()));
            Optional<String> absence = turn.absence();
            if (absence.isPresent()) {
                progress("SKIPPED: " + arex.name() + " is not measured: " + absence.get());
                report.note(arex.name() + " was skipped: " + absence.get());
            } else {
                peers.put(arex.name(), turn);
                versions.put(arex.name(), arex.version());
                report.note(kind.backEnd());
            }
        }
        report.put("versions", versions);
        if (!peers.isEmpty()) {
            report.note(
                    "Each thread asks A-REX by REST on a connection of its own, without the start of a client. When its jobs are over is read "
                            + "from its own directory, which costs it nothing.");
        }
    }

    /** Gives the same jobs to us and to each peer, by turns, as many of them as {@code --peer-jobs} lets. */
    void besidePeers(
            Lab lab, Gateway gateway, Report report, Submission submission, Work work, int jobs, int threads, int turns)
            throws IOException, InterruptedException, GeneralSecurityException {
        int given = Math.min(jobs, peerJobs);
        String name = given + " jobs, " + threads + " threads, beside A-REX: ";
        Row id = new Row(name + "median time to the id", "ms", Row.Better.LOWER);
        Row taken = perMinute(name + "to the service");
        Row over = perMinute(name + "until all were over");
        for (int turn = 1; turn <= turns && !peers.isEmpty(); turn++) {
            Run own = run(lab, gateway, given, threads, submission, name + "us");
            id.ours(own.idMs());
            taken.ours(own.toService());
            over.ours(own.toEnd());
            for (String peer : List.copyOf(peers.keySet())) {
                Waiting.untilQuiet();
                peerTurn(peer, given, threads, work).ifPresent(theirs -> {
                    id.peer(peer, Spread.of(theirs.idMs()).median());
                    taken.peer(peer, theirs.toService());
                    over.peer(peer, theirs.toEnd());
                });
            }
            Waiting.untilQuiet();
        }
        if (over.isMeasured()) {
            report.row(id).row(taken).row(over);
        }
    }

    /** A few jobs that do not count. */
    void warmUpPeers(Work work) throws InterruptedException {
        for (String peer : List.copyOf(peers.keySet())) {
            peerTurn(peer, WARM_UP_JOBS, 1, work);
        }
    }

    /** What a peer did; one that fails is left out from then on, with a note. */
    private Optional<ArexSubmitters.Run> peerTurn(String peer, int jobs, int threads, Work work)
            throws InterruptedException {
        progress(peer + ": " + jobs + " jobs by " + threads + " threads ...");
        Reasons failures = new Reasons();
        try {
            ArexSubmitters.Run run =
                    requireNonNull(peers.get(peer), "no such peer").run(jobs, threads, work, failures);
            progress(peer + ": " + Spread.show(run.toService()) + " jobs/min taken, " + Spread.show(run.toEnd())
                    + " ended, " + run.lost() + " lost");
            if (run.lost() == 0) {
                return Optional.of(run);
            }
        } catch (IOException | GeneralSecurityException e) {
            failures.add(e);
        }
        peers.remove(peer);
        progress("FAILED: " + peer + ", left out from now on: " + failures.counts());
        peerFailures.put(peer, failures.counts());
        return Optional.empty();
    }

    @Override
    void checkOptions() {
        require(repeat > 0, "--repeat wants at least 1, and has " + repeat);
        require(peerJobs > 0, "--peer-jobs wants at least 1, and has " + peerJobs + "; --peer none leaves them out");
    }

    /** Submits so many jobs by so many threads, each job by a request of its own, and waits until all are over. */
    Run run(Lab lab, Gateway gateway, int jobs, int threads, Submission submission, String what)
            throws IOException, InterruptedException, GeneralSecurityException {
        return run(lab, gateway, jobs, threads, 1, submission, what);
    }

    /**
     * Submits so many jobs by so many threads and waits until all are over.
     *
     * @param bulk jobs of one request
     */
    Run run(Lab lab, Gateway gateway, int jobs, int threads, int bulk, Submission submission, String what)
            throws IOException, InterruptedException, GeneralSecurityException {
        String newest = Fates.newest(gateway);
        Reasons refused = new Reasons();
        AtomicInteger left = new AtomicInteger(jobs);
        LongAdder taken = new LongAdder();
        List<Submission.Session> sessions = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            sessions.add(submission.open(lab));
        }
        try (Workers<Submission.Session> workers = new Workers<>(sessions)) {
            Instant begin = Instant.now();
            int requests = (jobs + bulk - 1) / bulk;
            Load.Result result = workers.send(Pace.closedLoop(TIMEOUT, requests), session -> {
                int before = left.getAndUpdate(now -> Math.max(0, now - bulk));
                try {
                    Submission.Taken answer = session.submit(Math.min(bulk, before));
                    taken.add(answer.jobs());
                    if (answer.refusal() != null) {
                        throw new RefusedException(200, answer.refusal());
                    }
                } catch (IOException | RefusedException e) {
                    refused.add(e);
                    throw e;
                } catch (GeneralSecurityException e) {
                    refused.add(e);
                    throw new IOException("a credential could not be delegated", e);
                }
            });
            double submitSeconds = result.seconds();
            boolean over = Fates.awaitEnd(gateway, what, jobs);
            Fates fates = Fates.after(gateway, newest);
            try {
                submission.tidy(lab);
            } catch (RefusedException e) {
                throw new IOException("the service did not destroy what the jobs of " + what + " had needed", e);
            }
            refused.counts().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
            fates.other().forEach(state -> reasons.merge(state, 1L, Long::sum));
            lost += jobs - fates.done();
            if (!over) {
                reasons.merge("not over within the time", jobs - fates.done(), Long::sum);
            }
            double toLrm = millis(begin, fates.lastInLrm());
            double toEnd = millis(begin, fates.lastEnd());
            return new Run(
                    MS_PER_MINUTE * taken.sum() / (1_000 * submitSeconds),
                    toLrm > 0 ? MS_PER_MINUTE * fates.toLrmMs().size() / toLrm : 0,
                    over && toEnd > 0 ? MS_PER_MINUTE * fates.done() / toEnd : 0,
                    result.latencies().percentiles().p50(),
                    result.latencies().percentiles().p99(),
                    fates.medianToLrm(),
                    jobs - fates.done());
        }
    }

    private static double millis(Instant begin, Optional<Instant> end) {
        return end.map(last -> (double) Duration.between(begin, last).toMillis())
                .orElse(0.0);
    }

    static List<Integer> sorted(List<Integer> values) {
        List<Integer> sorted = new ArrayList<>(values);
        sorted.sort(null);
        return sorted;
    }

    static Row perMinute(String name) {
        return new Row(name, "jobs/min", Row.Better.HIGHER);
    }

    /**
     * What came of one run.
     *
     * @param toService jobs taken per minute
     * @param toLrm jobs per minute until the last ran in the LRM
     * @param toEnd jobs per minute until all were over; 0 where some were not within the time
     * @param idMs median time of a request, to the ids of its jobs
     * @param idMsP99 its 99th percentile
     * @param lrmMs median time from the create to the LRM
     * @param lost jobs that did not end well
     */
    record Run(double toService, double toLrm, double toEnd, double idMs, double idMsP99, double lrmMs, long lost) {}
}
