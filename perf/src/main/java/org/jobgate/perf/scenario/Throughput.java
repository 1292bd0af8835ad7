// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Series;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.JobRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * GT 4.2's throughput test: many client threads keep a number of no-op jobs in the system for some minutes; jobs ended per minute, and the
 * memory of the service over that time.
 */
@Command(
        name = "throughput",
        description = "N jobs kept in the system by M client threads for T seconds: jobs per minute, memory over time")
public final class Throughput extends Scenario {

    private static final Duration DRAIN = Duration.ofMinutes(30);
    private static final String REPORT_42 = "GT 4.2.1 performance report, no-op Fork jobs, 200 to 250 client threads";
    private static final long SAMPLE_MS = 1_000;
    private static final long FULL_MS = 20;
    private static final double SECONDS_PER_MINUTE = 60;

    @Option(
            names = "--in-system",
            defaultValue = "1000",
            description = "jobs that are kept in the system (default: ${DEFAULT-VALUE})")
    long inSystem;

    @Option(
            names = "--threads",
            defaultValue = "16",
            description = "client threads, each with a connection (default: ${DEFAULT-VALUE})")
    int threads;

    @Option(names = "--seconds", defaultValue = "120", description = "length of the run (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(
            names = "--lrm",
            defaultValue = "fork",
            description = "fork, condor, slurm or sge (default: ${DEFAULT-VALUE})")
    DirectLrm lrm = DirectLrm.FORK;

    @Mixin
    final SimulatedUsers users = new SimulatedUsers();

    private final AtomicLong live = new AtomicLong();
    private final AtomicLong submitted = new AtomicLong();

    /** With default options. */
    public Throughput() {
        super("throughput");
    }

    @Override
    LrmChoice lrm() throws IOException {
        String own = System.getProperty("user.name");
        return lrm.choice(own.equals("root") && lrm != DirectLrm.FORK ? "jobgate-a" : own, List.of());
    }

    @Override
    void checkOptions() {
        users.check(this, threads);
    }

    @Override
    int users() {
        return users.number;
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        Samples samples = new Samples(gateway);
        try (Load load = SubmitRate.connect(lab, threads, true)) {
            double cpu = gateway.figures().cpuSeconds();
            Thread watch = Thread.ofPlatform().daemon().start(samples);
            Pace pace = Pace.closedLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE);
            Load.Result result = load.send(pace, client -> {
                awaitPlace();
                client.create(JobRequest.noOp(Load.newKey(), load.terminationTime()));
                submitted.incrementAndGet();
            });
            samples.stop();
            watch.join();
            boolean over = Waiting.until(
                    DRAIN,
                    Duration.ofMillis(SAMPLE_MS),
                    () -> gateway.admin().status().path("liveJobs").asLong(1) == 0);
            cpu = gateway.figures().cpuSeconds() - cpu;
            return report(gateway, report, samples, result, over, cpu);
        }
    }

    /** What was submitted since the last look at the service counts as live, so that no thread goes over the number. */
    private void awaitPlace() throws IOException {
        try {
            while (live.get() + submitted.get() >= inSystem) {
                Thread.sleep(FULL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private boolean report(
            Gateway gateway, Report report, Samples samples, Load.Result result, boolean over, double cpu)
            throws IOException {
        long notDone = gateway.admin().jobs("").stream()
                .map(JobRecord::of)
                .filter(job -> !job.state().equals("DONE"))
                .count();
        Row row = new Row("no-op jobs, " + lrm, "jobs/min", Row.Better.HIGHER);
        samples.perMinute().forEach(row::ours);
        if (lrm == DirectLrm.FORK) {
            row.published("GT 4.2.1, 2 GB VM, sudo, most", 90, REPORT_42)
                    .published("GT 4.2.1, 8 GB, 4 x dual core", 211, REPORT_42);
        }
        report.row(row)
                .put("in_system", inSystem)
                .put("threads", threads)
                .put("users", users.number)
                .put("seconds", seconds)
                .count("accepted", result.accepted(), "jobs taken", Budget.NONE)
                .latencies(
                        "create_ms", result.latencies().percentiles(), "until a place was free and the job taken, ms")
                .number(
                        "server_cpu_ms_per_job",
                        1_000 * cpu / Math.max(1, result.accepted()),
                        "service's CPU per job, ms",
                        Budget.NONE)
                .number("rss_peak_mib", gateway.figures().peakResidentMiB(), "resident at its most, MiB", Budget.NONE)
                .count("refused", result.failed(), "refused", Budget.atMost(0))
                .count("not_done", notDone, "jobs that did not end as Done", Budget.atMost(0))
                .series(new Series("memory of the service", "s", "MiB resident", samples.memory))
                .series(new Series("jobs in the system", "s", "jobs", samples.jobs))
                .note(
                        "The figures of the row are of whole minutes, or of the whole run where it is shorter than two; the first 10 s do not "
                                + "count. The published ones are of other machines, with 10,000 jobs in the system at most.");
        return over && notDone == 0 && result.failed() == 0;
    }

    /** Looks at the service once a second. */
    private final class Samples implements Runnable {

        private static final double WARM_UP_SECONDS = 10;

        private final Gateway gateway;
        private final List<Series.Point> memory = new ArrayList<>();
        private final List<Series.Point> jobs = new ArrayList<>();
        private final List<Series.Point> ended = new ArrayList<>();
        private volatile boolean isOver;

        Samples(Gateway gateway) {
            this.gateway = gateway;
        }

        void stop() {
            isOver = true;
        }

        @Override
        public void run() {
            long begin = System.nanoTime();
            long all = 0;
            Progress progress = Progress.of("seconds", seconds);
            try {
                while (!isOver) {
                    all += submitted.getAndSet(0);
                    long now = gateway.admin().status().path("liveJobs").asLong(0);
                    live.set(now);
                    double at = (System.nanoTime() - begin) / 1e9;
                    memory.add(
                            new Series.Point(Spread.round(at), gateway.figures().residentMiB()));
                    jobs.add(new Series.Point(Spread.round(at), now));
                    ended.add(new Series.Point(at, Math.max(0, all - now)));
                    progress.at((long) at);
                    Thread.sleep(SAMPLE_MS / 4);
                }
            } catch (IOException e) {
                progress("the service could not be looked at: " + e.getMessage());
                live.set(0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                progress.end();
            }
        }

        /** Jobs ended per minute. */
        List<Double> perMinute() {
            List<Double> rates = new ArrayList<>();
            int from = first(WARM_UP_SECONDS);
            for (int at = from; at < ended.size(); at++) {
                if (ended.get(at).x() - ended.get(from).x() >= SECONDS_PER_MINUTE) {
                    rates.add(rate(from, at));
                    from = at;
                }
            }
            if (rates.isEmpty() && ended.size() > 1) {
                rates.add(rate(Math.min(first(WARM_UP_SECONDS), ended.size() - 2), ended.size() - 1));
            }
            return rates;
        }

        private int first(double after) {
            int at = 0;
            while (at < ended.size() - 1 && ended.get(at).x() < after) {
                at++;
            }
            return at;
        }

        private double rate(int from, int to) {
            double time = ended.get(to).x() - ended.get(from).x();
            return SECONDS_PER_MINUTE * (ended.get(to).y() - ended.get(from).y()) / time;
        }
    }
}
