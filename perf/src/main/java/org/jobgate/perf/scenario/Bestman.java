// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.peer.NginxFloor;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Series;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The BeStMan study: more and more clients at once, each looping one cheap read on a TLS connection of its own, beside nginx with the same
 * certificates; then more than the service admits, while a few others keep on asking at a steady rate.
 */
@Command(
        name = "bestman",
        description =
                "1 to 5000 TLS clients looping one state query: rate, percentiles, refusals; rate before, during, after overload")
public final class Bestman extends Scenario {

    private static final int PROBES = 4;
    private static final String STUDY = "BeStMan study, srmLs";

    @Option(
            names = "--clients",
            split = ",",
            defaultValue = "1,10,100,500,1000,2500,5000",
            description = "how many at once, one after another (default: ${DEFAULT-VALUE})")
    List<Integer> clients = new ArrayList<>();

    @Option(names = "--seconds", defaultValue = "10", description = "of each measurement (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--repeat", defaultValue = "3", description = "turns at each number (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--overload",
            defaultValue = "7000",
            description = "clients that are too many; the service admits 6000 (default: ${DEFAULT-VALUE}; 0: none)")
    int overload;

    @Option(
            names = "--rate",
            defaultValue = "100",
            description = "queries per second of the steady clients, open loop (default: ${DEFAULT-VALUE})")
    double rate;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "seconds of the same load by four clients before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    private boolean good = true;

    /** With default options. */
    public Bestman() {
        super("bestman");
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        SSLContext tls = lab.tls();
        String job = heldJob(lab, tls);
        Optional<Path> nginx = NginxFloor.program();
        int port = Lab.freePort();
        if (nginx.isEmpty()) {
            progress("SKIPPED: nginx is not installed, so there is no floor; on Debian: apt-get install nginx-light");
            report.note("nginx was skipped: it is not installed");
        }
        try (NginxFloor floor = nginx.isPresent() ? NginxFloor.start(nginx.get(), lab, port) : null) {
            report.put("versions", floor == null ? Map.of() : Map.of("nginx", NginxFloor.version()));
            progress("warming up for " + warmup + " s ...");
            try (Clients few = Clients.ofUs(lab, tls, job, PROBES)) {
                few.crowd().loop(Pace.closedLoop(Duration.ofSeconds(warmup), Long.MAX_VALUE));
            }
            List<Series.Point> rates = new ArrayList<>();
            List<Series.Point> p99 = new ArrayList<>();
            for (int number : clients) {
                Level level = new Level(lab, gateway, tls, job, floor == null ? 0 : port, number);
                level.measure(report);
                rates.add(new Series.Point(number, level.row.ours().median()));
                p99.add(new Series.Point(number, level.latencies.percentiles().p99()));
            }
            report.series(new Series("queries answered per second", "clients at once", "1/s", rates))
                    .series(new Series("99th percentile of the latency", "clients at once", "ms", p99));
        }
        if (overload > 0) {
            overload(lab, gateway, tls, job, report);
        }
        report.number("rss_peak_mib", gateway.figures().peakResidentMiB(), "resident at its most, MiB", Budget.NONE);
        report.note(
                "Client and server share the machine. Each client has one keep-alive connection; nginx answers every request with the "
                        + "same 1,500 bytes, without reading a store, and is shown the user's own certificate, for its OpenSSL knows no proxies.");
        return good;
    }

    private static String heldJob(Lab lab, SSLContext tls) throws IOException {
        try (GramClient client = lab.client(tls)) {
            return client.create(JobRequest.noOp(Load.newKey(), Instant.now().plus(Duration.ofDays(1)))
                    .held());
        } catch (RefusedException e) {
            throw new IOException("the service refused the job that is asked for", e);
        }
    }

    /** The steady clients ask all the time; the others come in the middle third. */
    private void overload(Lab lab, Gateway gateway, SSLContext tls, String job, Report report)
            throws IOException, InterruptedException {
        Clients steady = Clients.ofUs(lab, tls, job, PROBES);
        Clients many = Clients.ofUs(lab, tls, job, overload);
        try (steady) {
            steady.crowd().connect();
            Crowd.Outcome before = steady.crowd().loop(steadyPace());
            Crowd.Outcome[] during = new Crowd.Outcome[1];
            Crowd.Outcome crowd;
            try (many) {
                progress(overload + " clients connect ...");
                Reasons refused = many.crowd().connect();
                report.put("overload_refused_while_connecting", refused.counts());
                Thread prober = Thread.ofPlatform().start(() -> during[0] = loopQuietly(steady.crowd()));
                crowd = many.crowd().loop(Pace.closedLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE));
                prober.join();
            }
            Crowd.Outcome after = steady.crowd().loop(steadyPace());
            report.put("overload_clients", overload)
                    .number(
                            "overload_answered_per_second",
                            crowd.perSecond(),
                            "overload: answered per second",
                            Budget.NONE)
                    .count("overload_refused", crowd.refused().total(), "overload: refused or broken off", Budget.NONE)
                    .put("overload_reasons", crowd.refused().counts());
            steady(report, "before", before);
            steady(report, "during", during[0]);
            steady(report, "after", after);
            boolean recovered = after.refused().total() == 0 && after.perSecond() > 0.9 * before.perSecond();
            report.put("recovered", recovered);
            good &= recovered && gateway.isRunning();
        }
    }

    private Pace steadyPace() {
        return Pace.openLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE, rate);
    }

    private Crowd.Outcome loopQuietly(Crowd crowd) {
        try {
            return crowd.loop(steadyPace());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Crowd.Outcome(0, new Latencies(), new Reasons());
        }
    }

    private static void steady(Report report, String when, Crowd.Outcome outcome) {
        report.number(
                        "steady_" + when + "_per_second",
                        outcome.perSecond(),
                        "steady clients " + when + ", 1/s",
                        Budget.NONE)
                .latencies("steady_" + when + "_ms", outcome.latencies().percentiles(), "  their latency, ms")
                .put("steady_" + when + "_failures", outcome.refused().counts());
    }

    /** One number of clients. */
    private final class Level {
        private final Lab lab;
        private final Gateway gateway;
        private final SSLContext tls;
        private final String job;
        private final int nginxPort;
        private final int number;
        private final Row row;
        private final Latencies latencies = new Latencies();

        Level(Lab lab, Gateway gateway, SSLContext tls, String job, int nginxPort, int number) {
            this.lab = lab;
            this.gateway = gateway;
            this.tls = tls;
            this.job = job;
            this.nginxPort = nginxPort;
            this.number = number;
            this.row = new Row(number + " clients", "answers/s", Row.Better.HIGHER);
        }

        void measure(Report report) throws IOException, InterruptedException, GeneralSecurityException {
            Map<String, Long> failures = new TreeMap<>();
            Map<String, Long> theirFailures = new TreeMap<>();
            double cpu = gateway.figures().cpuSeconds();
            for (int i = 1; i <= repeat; i++) {
                Crowd.Outcome ours = loop(Clients.ofUs(lab, tls, job, number), failures);
                row.ours(ours.perSecond());
                latencies.add(ours.latencies());
                if (nginxPort > 0) {
                    Crowd.Outcome theirs =
                            loop(Clients.ofNginx(lab.tlsWithoutProxy(), nginxPort, number), theirFailures);
                    row.peer("nginx", theirs.perSecond());
                }
                progress(number + " clients, turn " + i + " of " + repeat + ": " + Spread.show(ours.perSecond())
                        + " answers/s");
            }
            published();
            report.row(row);
            report.latencies("latency_ms_" + number, latencies.percentiles(), "  latency, ms")
                    .number(
                            "server_cpu_ms_" + number,
                            1_000 * (gateway.figures().cpuSeconds() - cpu) / Math.max(1, latencies.count()),
                            "  server CPU per answer, ms",
                            Budget.NONE)
                    .put("failures_" + number, failures)
                    .put("failures_of_nginx_" + number, theirFailures);
            good &= failures.isEmpty();
        }

        private Crowd.Outcome loop(Clients crowd, Map<String, Long> failures) throws IOException, InterruptedException {
            try (crowd) {
                crowd.crowd().connect().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
                Crowd.Outcome outcome =
                        crowd.crowd().loop(Pace.closedLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE));
                outcome.refused().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
                return outcome;
            }
        }

        private void published() {
            if (number == 1_000) {
                row.published("BeStMan in the Globus container", 25, STUDY);
            }
        }
    }
}
