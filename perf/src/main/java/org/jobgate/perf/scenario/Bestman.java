// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.peer.FuseMount;
import org.jobgate.perf.peer.NginxFloor;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Series;
import org.jobgate.perf.report.Spread;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The BeStMan study: more and more clients at once, each looping one cheap read on a TLS connection of its own, a job's state or the files
 * in its directory, beside nginx with the same certificates; then more than the service admits ({@link Overload}).
 */
@Command(
        name = "bestman",
        description =
                "1 to 5000 TLS clients looping one state query or listing of a job's directory: rate, percentiles, refusals; overload")
public final class Bestman extends Scenario {

    private static final int PROBES = 4;

    /** Far above those of a crowd. */
    private static final int STEADY_ADDRESS = 50_000;

    private static final String STUDY = "BeStMan study, srmLs";

    private static final String REFUSED = "HTTP status 503";

    @Option(
            names = "--call",
            split = ",",
            defaultValue = "state,list,srm",
            description =
                    "what they loop: state (of a job, by SOAP), list (the files in its directory, as JSON), srm (srmLs of the same directory) (default: ${DEFAULT-VALUE})")
    List<ReadCall> calls = new ArrayList<>();

    @Option(
            names = "--clients",
            split = ",",
            defaultValue = "1,10,100,500,1000,2500,5000",
            description = "how many ask for the state at once, one after another (default: ${DEFAULT-VALUE})")
    List<Integer> clients = new ArrayList<>();

    @Option(
            names = "--files",
            split = ",",
            defaultValue = "10,20,100,200,1000",
            description =
                    "files in the directory that is listed; the service gives 1000 at once (default: ${DEFAULT-VALUE})")
    List<Integer> files = new ArrayList<>();

    @Option(
            names = "--list-clients",
            split = ",",
            defaultValue = "1,100,1000",
            description = "how many list at once (default: ${DEFAULT-VALUE})")
    List<Integer> listClients = new ArrayList<>();

    @Option(
            names = "--fuse",
            description = "list the same directories through a FUSE mount too, by srmLs (Debian: bindfs)")
    boolean fuse;

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
            names = "--crowd-nice",
            defaultValue = "19",
            description =
                    "niceness of the process of these clients: with 19 they take no processor from the service, as those of another machine would not (default: ${DEFAULT-VALUE})")
    int crowdNice;

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

    @Mixin
    final SimulatedUsers users = new SimulatedUsers();

    private boolean good = true;

    /** With default options. */
    public Bestman() {
        super("bestman");
    }

    /** A user here has many clients at once, so that the service's share of one subject is made that of all. */
    @Override
    String settings() {
        return "files: { maxReaders: " + Listed.READERS + ", maxReadersPerOwner: " + Listed.READERS + " }\n"
                + "fileTrees: [ { name: machine, path: / } ]";
    }

    @Override
    void checkOptions() {
        require(!fuse || FuseMount.isThere(), "--fuse wants bindfs (Debian: apt-get install bindfs) and /dev/fuse");
        users.check(this, Collections.max(clients));
    }

    @Override
    int users() {
        return users.number + (overload > 0 ? 1 : 0);
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        Path listed = Listed.makeFiles(lab.work().resolve("listed"), files);
        List<JobOwner> owners = JobOwner.ofAll(lab, listed);
        List<JobOwner> players = owners.subList(0, users.number);
        Optional<Path> nginx = NginxFloor.program();
        int port = Lab.freePort();
        if (nginx.isEmpty()) {
            progress("SKIPPED: nginx is not installed, so there is no floor; on Debian: apt-get install nginx-light");
            report.note("nginx was skipped: it is not installed");
        }
        try (NginxFloor floor = nginx.isPresent() ? NginxFloor.start(nginx.get(), lab, port, listed) : null) {
            report.put("versions", floor == null ? Map.of() : Map.of("nginx", NginxFloor.version()));
            SSLContext theirs = lab.tlsWithoutProxy();
            Function<String, @Nullable IntFunction<Clients>> nginxGets = path -> floor == null
                    ? null
                    : number -> Clients.getting(i -> Lab.connection(theirs, port), i -> path, number);
            if (calls.contains(ReadCall.STATE)) {
                states(gateway, report, number -> Clients.ofState(lab, players, number), nginxGets.apply("/"));
            }
            if (calls.contains(ReadCall.SRM)) {
                srm(lab, gateway, report, players, listed, "srmLs", nginxGets);
                if (fuse) {
                    try (FuseMount mount = FuseMount.of(listed, lab.work().resolve("fuse"))) {
                        srm(lab, gateway, report, players, mount.directory(), "srmLs_FUSE", path -> null);
                    }
                }
            }
            if (calls.contains(ReadCall.LIST)) {
                for (int number : files) {
                    JobOwner first = owners.getFirst();
                    Listed.check(number, lab.connection(first.tls()), first.listing(number));
                    if (floor != null) {
                        Listed.check(number, Lab.connection(theirs, port), NginxFloor.LISTED + number + "/");
                    }
                    listings(
                            gateway,
                            report,
                            "list",
                            number,
                            several -> Clients.ofListing(lab, players, number, several),
                            nginxGets.apply(NginxFloor.LISTED + number + "/"));
                }
                Listed.notes(report);
            }
        }
        if (overload > 0 && calls.contains(ReadCall.STATE)) {
            good &= overload(lab, gateway, owners, null, report);
        } else if (overload > 0 && calls.contains(ReadCall.SRM)) {
            good &= overload(lab, gateway, owners, Listed.surl(listed, files.getFirst()), report);
            report.note("The clients of the overload list a directory of " + files.getFirst() + " files by srmLs.");
        }
        report.put("users", users.number);
        report.number("rss_peak_mib", gateway.figures().peakResidentMiB(), "resident at its most, MiB", Budget.NONE);
        report.note(
                "Client and server share the machine. The clients are of " + users.number
                        + " users at most, each client has one keep-alive connection, from a loopback address of its own; nginx answers a state query with the "
                        + "same 1,500 bytes, without reading a store, and is shown the first user's own certificate, for its OpenSSL knows no proxies.");
        return good;
    }

    /** @param directory in which the directories of all sizes are */
    private void srm(
            Lab lab,
            Gateway gateway,
            Report report,
            List<JobOwner> players,
            Path directory,
            String call,
            Function<String, @Nullable IntFunction<Clients>> nginxGets)
            throws IOException, InterruptedException {
        for (int number : files) {
            String listed = Listed.surl(directory, number);
            Listed.checkSrm(lab.connection(players.getFirst().tls()), listed, number);
            IntFunction<Clients> ours = several -> Clients.ofSrm(lab, players, listed, several);
            listings(gateway, report, call, number, ours, nginxGets.apply(NginxFloor.LISTED + number + "/"));
        }
    }

    private void states(
            Gateway gateway, Report report, IntFunction<Clients> ours, @Nullable IntFunction<Clients> theirs)
            throws IOException, InterruptedException {
        warmUp(ours);
        List<Series.Point> rates = new ArrayList<>();
        List<Series.Point> p99 = new ArrayList<>();
        for (int number : clients) {
            Level level =
                    new Level(gateway, ours, theirs, number, number + " clients", Integer.toString(number), false);
            level.measure(report);
            rates.add(new Series.Point(number, level.row.ours().median()));
            p99.add(new Series.Point(number, level.latencies.percentiles().p99()));
        }
        report.series(new Series("queries answered per second", "clients at once", "1/s", rates))
                .series(new Series("99th percentile of the latency", "clients at once", "ms", p99));
    }

    private void listings(
            Gateway gateway,
            Report report,
            String call,
            int inDirectory,
            IntFunction<Clients> ours,
            @Nullable IntFunction<Clients> theirs)
            throws IOException, InterruptedException {
        warmUp(ours);
        List<Series.Point> rates = new ArrayList<>();
        for (int number : listClients) {
            String label = call + " of " + inDirectory + " files, " + number + " clients";
            String key = call.toLowerCase(Locale.ROOT) + "_" + inDirectory + "_" + number;
            Level level = new Level(gateway, ours, theirs, number, label, key, true);
            level.measure(report);
            rates.add(new Series.Point(number, level.row.ours().median()));
        }
        report.series(new Series(call + " of " + inDirectory + " files per second", "clients at once", "1/s", rates));
    }

    private void warmUp(IntFunction<Clients> ours) throws InterruptedException {
        progress("warming up for " + warmup + " s ...");
        try (Clients few = ours.apply(PROBES)) {
            few.crowd().loop(Pace.closedLoop(Duration.ofSeconds(warmup), Long.MAX_VALUE));
        }
    }

    /**
     * A crowd of the first users, and a few clients of the last one, whom nobody else plays.
     *
     * @param srm the directory that they list by srmLs; absent: they ask for the states of jobs
     */
    private boolean overload(Lab lab, Gateway gateway, List<JobOwner> owners, @Nullable String srm, Report report)
            throws IOException, InterruptedException {
        List<Path> proxies = lab.proxies();
        List<String> jobs = owners.stream().map(JobOwner::job).toList();
        return new Overload(overload, Duration.ofSeconds(seconds), rate)
                        .measure(
                                report,
                                number -> new ClientProcess(
                                        lab,
                                        "crowd",
                                        new ClientProcess.Players(
                                                proxies.subList(0, users.number),
                                                jobs.subList(0, users.number),
                                                srm,
                                                number,
                                                0,
                                                0,
                                                crowdNice,
                                                "2g")),
                                (number, perSecond) -> new ClientProcess(
                                        lab,
                                        "steady",
                                        new ClientProcess.Players(
                                                proxies.subList(proxies.size() - 1, proxies.size()),
                                                List.of(jobs.getLast()),
                                                srm,
                                                number,
                                                perSecond,
                                                STEADY_ADDRESS,
                                                0,
                                                "64m")))
                && gateway.isRunning();
    }

    /** One number of clients that read the same. */
    private final class Level {
        private final Gateway gateway;
        private final IntFunction<Clients> ours;
        private final @Nullable IntFunction<Clients> theirs;
        private final int number;
        private final String key;
        private final boolean mayBeRefused;
        private final Row row;
        private final Latencies latencies = new Latencies();

        /** Seconds of a processor that the gateway needed for the answers of the last turn: the handshakes before them do not count. */
        private double spent;

        /** @param mayBeRefused whether 503 is an answer, where more come at once than are admitted */
        Level(
                Gateway gateway,
                IntFunction<Clients> ours,
                @Nullable IntFunction<Clients> theirs,
                int number,
                String label,
                String key,
                boolean mayBeRefused) {
            this.gateway = gateway;
            this.ours = ours;
            this.theirs = theirs;
            this.number = number;
            this.key = key;
            this.mayBeRefused = mayBeRefused;
            this.row = new Row(label, "answers/s", Row.Better.HIGHER);
        }

        void measure(Report report) throws IOException, InterruptedException {
            Map<String, Long> failures = new TreeMap<>();
            Map<String, Long> theirFailures = new TreeMap<>();
            double cpu = 0;
            for (int i = 1; i <= repeat; i++) {
                Crowd.Outcome own = loop(ours.apply(number), failures);
                cpu += spent;
                row.ours(own.perSecond());
                latencies.add(own.latencies());
                if (theirs != null) {
                    row.peer("nginx", loop(theirs.apply(number), theirFailures).perSecond());
                }
                progress(row.name() + ", turn " + i + " of " + repeat + ": " + Spread.show(own.perSecond())
                        + " answers/s");
            }
            published();
            report.row(row);
            report.latencies("latency_ms_" + key, latencies.percentiles(), "  latency, ms")
                    .number(
                            "server_cpu_ms_" + key,
                            1_000 * cpu / Math.max(1, latencies.count()),
                            "  server CPU per answer, ms",
                            Budget.NONE)
                    .count(
                            "refused_" + key,
                            failures.values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum(),
                            "  refused or broken off",
                            Budget.NONE)
                    .put("failures_" + key, failures)
                    .put("failures_of_nginx_" + key, theirFailures);
            good &= failures.keySet().stream().allMatch(reason -> mayBeRefused && reason.startsWith(REFUSED));
        }

        private Crowd.Outcome loop(Clients crowd, Map<String, Long> failures) throws IOException, InterruptedException {
            try (crowd) {
                crowd.crowd().connect().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
                double before = gateway.figures().cpuSeconds();
                Crowd.Outcome outcome =
                        crowd.crowd().loop(Pace.closedLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE));
                spent = gateway.figures().cpuSeconds() - before;
                outcome.refused().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
                return outcome;
            }
        }

        private void published() {
            if (number == 1_000) {
                row.published("BeStMan in the Globus container", 25, STUDY);
            } else if (number == 2_000) {
                row.published("BeStMan in the Globus container", 50, STUDY);
            }
        }
    }
}
