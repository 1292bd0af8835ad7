// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
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
 * The acceptance test of it all: the service is killed again and again while clients submit and jobs run, now and then with its workers
 * stopped, as a job of their account can stop them. Nothing acknowledged may be lost, nothing may run twice, nothing may change by itself,
 * and each exit code must be known in the end.
 */
@Command(
        name = "crash",
        description =
                "kill -9 the service at random moments while jobs are submitted and run; count what was lost, doubled, changed")
public final class Crash extends Scenario {

    private static final Duration HELD_TIMEOUT = Duration.ofMinutes(4);
    /** Without another job that ends. */
    private static final Duration TO_END = Duration.ofMinutes(3);

    private static final Duration PID_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration PER_KILL = Duration.ofMinutes(3);
    private static final int HELD_JOBS = 10;
    /** At one kill in so many the workers are stopped before, and hold what they had begun. */
    private static final int STOPPED_IN = 5;

    @Option(names = "--jobs", defaultValue = "200", description = "jobs (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--kills", defaultValue = "20", description = "kills (default: ${DEFAULT-VALUE})")
    int kills;

    @Option(names = "--clients", defaultValue = "4", description = "concurrent clients (default: ${DEFAULT-VALUE})")
    int clients;

    @Option(names = "--seed", description = "of all that chance decides (default: from the clock)")
    long seed = System.currentTimeMillis();

    @Option(
            names = "--uptime",
            defaultValue = "2000",
            description = "the longest time between two kills, ms (default: ${DEFAULT-VALUE})")
    int uptimeMs;

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description =
                    "fork or condor, whose own account of what jobs used is compared with the audit records (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    private final CrashClient.Shared shared = new CrashClient.Shared();
    private final List<Instant> killed = new ArrayList<>();
    private final List<Double> restartSeconds = new ArrayList<>();

    /** With default options. */
    public Crash() {
        super("crash");
    }

    @Override
    void checkOptions() {
        require(
                lrm == DirectLrm.FORK || lrm == DirectLrm.CONDOR,
                "--lrm is " + lrm + "; it must be fork or condor: of others nobody compares the accounting here");
    }

    @Override
    LrmChoice lrm() throws IOException {
        return lrm.choice(lrm.account(), List.of());
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report) throws Exception {
        // a directory that the account of the jobs can write to
        try (DirectLrm.Direct as = DirectLrm.Direct.of(lrm.account())) {
            return measure(lab, gateway, report, as);
        }
    }

    private boolean measure(Lab lab, Gateway gateway, Report report, DirectLrm.Direct as) throws Exception {
        progress("seed " + seed);
        CrashPlan plan =
                CrashPlan.draw(seed, jobs, kills, lrm == DirectLrm.FORK ? lab.work() : as.directory(), uptimeMs);
        Instant terminationTime = Instant.now().plus(Duration.ofDays(1));
        gateway.start();
        SSLContext tls = lab.tls();
        Map<String, String> heldBefore = holdJobs(lab, gateway, tls, terminationTime);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<Void>> running = startClients(lab, tls, plan, terminationTime, threads);
            killAndRestart(gateway, plan);
            await(running);
        } finally {
            threads.shutdownNow();
        }
        boolean allEnded = allEnd(gateway);
        CrashVerdict verdict = verdict(lab, gateway, tls, plan, terminationTime, heldBefore);
        List<String> audit = new ArrayList<>(CrashAudit.findings(gateway.admin(), exitCodes(plan)));
        if (audit.isEmpty()) {
            audit.addAll(compare(lab, gateway, report, as, exitCodes(plan).keySet()));
        }
        report(report, verdict, gateway, allEnded);
        report.count("not_recorded", audit.size(), "not on record once, or records changed", Budget.atMost(0));
        audit.forEach(finding -> progress("FOUND " + finding));
        return verdict.isClean() && allEnded && audit.isEmpty();
    }

    /** Whether all come to an end; it is waited for as long as one does now and then. */
    private static boolean allEnd(Gateway gateway) throws IOException, InterruptedException {
        long live = liveJobs(gateway);
        while (live > HELD_JOBS) {
            long before = live;
            if (!Waiting.until(TO_END, Duration.ofMillis(200), () -> liveJobs(gateway) < before)) {
                return false;
            }
            live = liveJobs(gateway);
        }
        return true;
    }

    private List<String> compare(Lab lab, Gateway gateway, Report report, DirectLrm.Direct as, Set<String> ids)
            throws IOException, InterruptedException {
        CrashAudit.Sums sums = lrm == DirectLrm.FORK
                ? CrashAudit.sums(gateway.admin(), ids, StarterRecord.ends(lab.spool()), 0)
                : CrashAudit.sums(gateway.admin(), ids, CondorHistory.ends(as, ids), CondorHistory.ROUNDING_MS);
        progress(sums.text());
        report.put("recorded", sums.text());
        return sums.findings();
    }

    /** Jobs that wait for their owner all the time: nothing about them may change. */
    private static Map<String, String> holdJobs(Lab lab, Gateway gateway, SSLContext tls, Instant terminationTime)
            throws IOException, InterruptedException, RefusedException {
        try (GramClient client = lab.client(tls)) {
            for (int i = 0; i < HELD_JOBS; i++) {
                client.create(JobRequest.noOp(UUID.randomUUID().toString(), terminationTime)
                        .held());
            }
        }
        Waiting.untilAllAreHeld(gateway, HELD_TIMEOUT);
        return standing(gateway);
    }

    private static Map<String, String> standing(Gateway gateway) throws IOException {
        Map<String, String> standing = new LinkedHashMap<>();
        for (JsonNode job : gateway.admin().jobs("")) {
            JobRecord one = JobRecord.of(job);
            standing.put(one.id(), one.standing());
        }
        return standing;
    }

    private List<Future<Void>> startClients(
            Lab lab, SSLContext tls, CrashPlan plan, Instant terminationTime, ExecutorService threads) {
        Instant deadline = Instant.now().plus(PER_KILL.multipliedBy(kills + 1L));
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int mine = i;
            List<CrashPlan.PlannedJob> share = IntStream.range(0, jobs)
                    .filter(place -> place % clients == mine)
                    .mapToObj(plan.jobs()::get)
                    .toList();
            running.add(threads.submit(new CrashClient(lab.client(tls), share, terminationTime, deadline, shared)));
        }
        return running;
    }

    private void killAndRestart(Gateway gateway, CrashPlan plan) throws IOException, InterruptedException {
        int shareOfJobs = jobs / (kills + 1);
        for (CrashPlan.Kill kill : plan.kills()) {
            shared.turns.release(shareOfJobs);
            List<ProcessHandle> stopped = killed.size() % STOPPED_IN == 0 ? gateway.signalWorkers("STOP") : List.of();
            if (kill.duringStart()) {
                gateway.kill();
                killDuringStart(gateway, kill.delayMs());
            } else {
                Thread.sleep(kill.delayMs());
                killed(gateway.kill());
            }
            restartSeconds.add(gateway.start().toNanos() / 1e9);
            // as an administrator would; one that was stopped has not seen that its gateway is gone
            stopped.forEach(ProcessHandle::destroyForcibly);
            progress("kill " + killed.size() + (kill.duringStart() ? " while it started" : " while it ran")
                    + ", back in " + Spread.show(restartSeconds.getLast()) + " s, " + shared.acknowledged.size()
                    + " acknowledged");
        }
        shared.turns.release(jobs);
    }

    private void killDuringStart(Gateway gateway, int delayMs) throws IOException, InterruptedException {
        Process launcher = gateway.launch();
        if (!Waiting.until(PID_TIMEOUT, () -> gateway.pid().isPresent())) {
            throw new IOException("the gateway did not write its process id within " + PID_TIMEOUT);
        }
        Thread.sleep(delayMs);
        killed(gateway.kill());
        if (!launcher.waitFor(PER_KILL.toMillis(), TimeUnit.MILLISECONDS)) {
            launcher.destroyForcibly();
            throw new IOException("jobgate start did not notice within " + PER_KILL + " that the gateway had died");
        }
    }

    private void killed(boolean one) {
        if (!one) {
            throw new IllegalStateException("there was no gateway to kill: it ended by itself");
        }
        killed.add(Instant.now());
    }

    private static void await(List<Future<Void>> running) throws InterruptedException, IOException {
        for (Future<Void> client : running) {
            try {
                client.get();
            } catch (ExecutionException e) {
                throw new IOException("a client broke: " + e.getCause(), e);
            }
        }
    }

    private static long liveJobs(Gateway gateway) throws IOException {
        return gateway.admin().status().path("liveJobs").asLong(-1);
    }

    private CrashVerdict verdict(
            Lab lab,
            Gateway gateway,
            SSLContext tls,
            CrashPlan plan,
            Instant terminationTime,
            Map<String, String> heldBefore)
            throws IOException {
        Map<String, Integer> jobsOfKey = new HashMap<>();
        gateway.admin().jobs("").forEach(job -> jobsOfKey.merge(key(job), 1, Integer::sum));
        List<CrashVerdict.Observation> observations = new ArrayList<>();
        try (GramClient client = lab.client(tls)) {
            for (CrashPlan.PlannedJob job : plan.jobs()) {
                observations.add(observe(client, job, terminationTime, jobsOfKey));
            }
        }
        return CrashVerdict.of(observations, heldBefore, standing(gateway));
    }

    private Map<String, Integer> exitCodes(CrashPlan plan) {
        Map<String, Integer> codes = new HashMap<>();
        for (CrashPlan.PlannedJob job : plan.jobs()) {
            String id = shared.acknowledged.get(job.key());
            if (id != null) {
                codes.put(id, job.exitCode());
            }
        }
        return codes;
    }

    private static String key(JsonNode job) {
        return job.path("clientId").asString("").replaceFirst("^uuid:", "");
    }

    private CrashVerdict.Observation observe(
            GramClient client, CrashPlan.PlannedJob job, Instant terminationTime, Map<String, Integer> jobsOfKey)
            throws IOException {
        Optional<String> id = Optional.ofNullable(shared.acknowledged.get(job.key()));
        Optional<String> again = id.isEmpty() ? id : answered(() -> client.create(job.request(terminationTime)));
        Optional<GramClient.JobView> view = id.isEmpty() ? Optional.empty() : answered(() -> client.view(id.get()));
        return new CrashVerdict.Observation(
                job.key(),
                job.exitCode(),
                id,
                again,
                Files.exists(job.file()) ? Files.readAllLines(job.file()) : List.of(),
                jobsOfKey.getOrDefault(job.key(), 0),
                view.map(GramClient.JobView::state),
                view.flatMap(GramClient.JobView::exitCode));
    }

    private <T> Optional<T> answered(Call<T> call) throws IOException {
        try {
            return Optional.of(call.make());
        } catch (RefusedException refused) {
            shared.refusals.merge("at the end: " + refused.getMessage(), 1L, Long::sum);
            return Optional.empty();
        }
    }

    private void report(Report report, CrashVerdict verdict, Gateway gateway, boolean allEnded) throws IOException {
        Budget none = Budget.atMost(0);
        report.count("acknowledged", verdict.acknowledged(), "acknowledged", Budget.atLeast(jobs))
                .count("lost", verdict.lost(), "lost", none)
                .count("doubled", verdict.doubled(), "doubled", none)
                .count("changed", verdict.changed(), "changed", none)
                .count("unknown_exit", verdict.unknownExit(), "exit code unknown", none)
                .count("wrong_exit", verdict.wrongExit(), "exit code wrong", none)
                .count("unacknowledged", verdict.unacknowledged(), "never acknowledged", none)
                .count("kills", killed.size(), "kills", Budget.atLeast(kills))
                .count("jobs_hit", jobsHit(gateway), "jobs alive at a kill", Budget.NONE)
                .count("unclear_calls", shared.unclear.get(), "calls broken off, repeated", Budget.NONE)
                .put("jobs", jobs)
                .put("clients", clients)
                .put("lrm", lrm.name().toLowerCase(Locale.ROOT))
                .put("seed", seed)
                .put("all_ended", allEnded)
                .put("refusals", Map.copyOf(shared.refusals))
                .put("findings", verdict.findings());
        if (!restartSeconds.isEmpty()) {
            Row restart = new Row("from jobgate start after a kill to running", "s", Row.Better.LOWER);
            restartSeconds.forEach(restart::ours);
            report.row(restart).put("restart_seconds", Spread.of(restartSeconds));
        }
        verdict.findings().forEach(finding -> progress("FOUND " + finding));
    }

    /** How many jobs were between their creation and their end when a kill came: without them the run would prove nothing. */
    private long jobsHit(Gateway gateway) throws IOException {
        long hit = 0;
        for (String id : shared.acknowledged.values()) {
            JobRecord job = JobRecord.of(gateway.admin().job(id));
            hit += killed.stream().anyMatch(job::livedAt) ? 1 : 0;
        }
        return hit;
    }

    /** One call that the service may refuse. */
    @FunctionalInterface
    private interface Call<T> {
        T make() throws IOException, RefusedException;
    }
}
