// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.peer.EchoFloor;
import org.jobgate.perf.peer.NginxFloor;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The REST door: a job's state asked for by many clients, jobs made one by one and many at once, long lists, and how soon followers are told,
 * beside nginx that answers with fixed text and a server that echoes what is posted. The jobs are held before the LRM.
 */
@Command(
        name = "rest",
        description =
                "the REST door: answers and jobs per second, one and many at once, a list of many, lag of followers; beside nginx and an echo")
public final class Rest extends Scenario {

    private static final String JOBS = RestRequests.JOBS;
    private static final int MOST_AT_ONCE = 10_000;
    private static final int MOST_FOLLOWERS_OF_ONE = 200;
    private static final int CLIENTS_ADDRESS = 20_000;
    private static final long FOLLOWERS_BEGIN = 120;

    @Option(names = "--clients", defaultValue = "100", description = "that ask for states (default: ${DEFAULT-VALUE})")
    int clients;

    @Option(
            names = "--connections",
            defaultValue = "8",
            description = "on which jobs are made one by one (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(
            names = "--batch",
            defaultValue = "1000",
            description = "jobs in a request of many (default: ${DEFAULT-VALUE})")
    int batch;

    @Option(names = "--listed", defaultValue = "10000", description = "jobs in a list (default: ${DEFAULT-VALUE})")
    int listed;

    @Option(
            names = "--followers",
            defaultValue = "1000",
            description = "of streams of events; 0: none (default: ${DEFAULT-VALUE})")
    int followers;

    @Option(
            names = "--news",
            defaultValue = "20",
            description = "jobs made per second while they follow, by turns of the users (default: ${DEFAULT-VALUE})")
    double news;

    @Option(names = "--seconds", defaultValue = "5", description = "of each measurement (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--repeat", defaultValue = "3", description = "turns of each (default: ${DEFAULT-VALUE})")
    int repeat;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "seconds of each kind before, not counted (default: ${DEFAULT-VALUE})")
    int warmup;

    @Option(
            names = "--users",
            defaultValue = "10",
            description = "simulated users, dealt out among the connections (default: ${DEFAULT-VALUE})")
    int users;

    @Option(
            names = "--only",
            split = ",",
            description = "measure these only: states, creations, bulk, list, arrays, followers (default: all)")
    Set<String> only = Set.of();

    private static final Set<String> PARTS = Set.of("states", "creations", "bulk", "list", "arrays", "followers");

    private final Map<String, Long> failures = new TreeMap<>();

    /** With default options. */
    public Rest() {
        super("rest");
    }

    @Override
    void checkOptions() {
        require(users >= 1 && users <= 100, "--users must be 1 to 100");
        require(clients >= 1 && connections >= 1, "--clients and --connections must be at least 1");
        require(batch >= 1 && batch <= MOST_AT_ONCE, "--batch must be 1 to " + MOST_AT_ONCE);
        require(listed >= 1 && listed <= MOST_AT_ONCE, "--listed must be 1 to " + MOST_AT_ONCE);
        require(
                followers >= 0 && followers <= users * MOST_FOLLOWERS_OF_ONE,
                "--followers must be 0 to " + MOST_FOLLOWERS_OF_ONE + " for each of --users");
        require(PARTS.containsAll(only), "--only takes " + new TreeSet<>(PARTS));
        require(seconds >= 1 && repeat >= 1 && news > 0, "--seconds, --repeat and --news must be more than 0");
    }

    @Override
    int users() {
        return users;
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        List<SSLContext> all = lab.tlsOfUsers();
        Path files = Files.createDirectories(lab.work().resolve("listed"));
        Optional<Path> nginx = NginxFloor.program();
        int nginxPort = Lab.freePort();
        SSLContext plain = lab.tlsWithoutProxy();
        try (NginxFloor floor = nginx.isPresent() ? NginxFloor.start(nginx.get(), lab, nginxPort, files) : null;
                EchoFloor echo = EchoFloor.start(lab)) {
            report.put("versions", floor == null ? Map.of() : Map.of("nginx", NginxFloor.version()));
            if (isWanted("states")) {
                states(lab, gateway, report, all, floor == null ? null : nginxPort, plain);
            }
            if (isWanted("creations")) {
                creations(lab, gateway, report, all, echo, plain);
            }
            if (isWanted("bulk")) {
                bulk(lab, gateway, report, all.getFirst());
            }
            if (isWanted("list")) {
                list(lab, report, all.getFirst(), files, floor == null ? null : nginxPort, plain);
            }
        }
        if (isWanted("arrays")) {
            RestArrays.measure(lab, report, all.getLast(), repeat, failures);
        }
        if (nginx.isEmpty()) {
            report.note("nginx was skipped: it is not installed");
        }
        if (followers > 0 && isWanted("followers")) {
            follow(lab, gateway, report, all);
        }
        long refused = failures.values().stream().mapToLong(Long::longValue).sum();
        report.count("errors", refused, "refused or broken off", Budget.atMost(0))
                .put("failures", failures)
                .put("users", users);
        report.number("rss_peak_mib", gateway.figures().peakResidentMiB(), "resident at its most, MiB", Budget.NONE);
        report.note(
                "Client and server share the machine. nginx answers with 1,500 fixed bytes, or with the list from a file; the echo is a "
                        + "Java server that answers each POST with its own content and stores nothing. Jobs are held before the LRM. One thread asks for all "
                        + "clients of states and new jobs, and reads of an answer its status and length.");
        return refused == 0;
    }

    private boolean isWanted(String part) {
        return only.isEmpty() || only.contains(part);
    }

    private void states(
            Lab lab,
            Gateway gateway,
            Report report,
            List<SSLContext> all,
            @Nullable Integer nginxPort,
            SSLContext plain)
            throws IOException, InterruptedException {
        List<String> jobs = new ArrayList<>();
        for (SSLContext user : all) {
            try (HttpsConnection connection = lab.connection(user)) {
                jobs.add(RestRequests.created(connection));
            } catch (RefusedException e) {
                throw new IOException("the service refused the job that is asked for", e);
            }
        }
        Supplier<QuickCrowd> ours = () -> RestRequests.getting(
                i -> lab.quickConnection(all.get(i % all.size()), Clients.address(i)),
                i -> JOBS + "/" + jobs.get(i % jobs.size()),
                clients);
        Supplier<QuickCrowd> theirs = nginxPort == null
                ? null
                : () -> RestRequests.getting(
                        i -> Lab.quickConnection(plain, nginxPort, Clients.address(i)), i -> "/", clients);
        Row row = new Row("state of a job, " + clients + " clients", "answers/s", Row.Better.HIGHER);
        beside(
                gateway,
                report,
                row,
                "state",
                Budget.atLeast(8_000),
                ours,
                theirs == null ? Map.of() : Map.of("nginx", theirs));
    }

    private void creations(
            Lab lab, Gateway gateway, Report report, List<SSLContext> all, EchoFloor echo, SSLContext plain)
            throws IOException, InterruptedException {
        Supplier<QuickCrowd> ours = () -> RestRequests.posting(
                IntStream.range(0, connections)
                        .mapToObj(i -> lab.quickConnection(all.get(i % all.size()), Clients.address(i)))
                        .toList(),
                JOBS,
                201);
        Supplier<QuickCrowd> echoed = () -> RestRequests.posting(
                IntStream.range(0, connections)
                        .mapToObj(i -> echo.connection(plain, Clients.address(i)))
                        .toList(),
                "/echo",
                201);
        Row row = new Row("jobs made, " + connections + " connections", "jobs/s", Row.Better.HIGHER);
        beside(gateway, report, row, "create", Budget.atLeast(2_500), ours, Map.of("echo", echoed));
        Spread ratio = row.ratios().get("echo");
        if (ratio != null) {
            report.number("create_to_echo", ratio.median(), "  jobs made over echoes", Budget.atLeast(0.5));
        }
    }

    /** Our turns and theirs alternate. */
    private void beside(
            Gateway gateway,
            Report report,
            Row row,
            String key,
            Budget budget,
            Supplier<QuickCrowd> ours,
            Map<String, Supplier<QuickCrowd>> theirs)
            throws IOException {
        loop(ours, warmup);
        Latencies latencies = new Latencies();
        double cpu = 0;
        for (int i = 1; i <= repeat; i++) {
            double before = gateway.figures().cpuSeconds();
            Crowd.Outcome own = loop(ours, seconds);
            cpu += gateway.figures().cpuSeconds() - before;
            row.ours(own.perSecond());
            latencies.add(own.latencies());
            for (Map.Entry<String, Supplier<QuickCrowd>> peer : theirs.entrySet()) {
                row.peer(peer.getKey(), loop(peer.getValue(), seconds).perSecond());
            }
            progress(
                    row.name() + ", turn " + i + " of " + repeat + ": " + Spread.show(own.perSecond()) + " per second");
        }
        report.row(row)
                .number(key + "_per_second", row.ours().median(), "  median per second", budget)
                .latencies("latency_ms_" + key, latencies.percentiles(), "  latency, ms")
                .number(
                        "server_cpu_ms_" + key,
                        1_000 * cpu / Math.max(1, latencies.count()),
                        "  server CPU for each, ms",
                        Budget.NONE);
    }

    private Crowd.Outcome loop(Supplier<QuickCrowd> clients, int forSeconds) throws IOException {
        try (QuickCrowd crowd = clients.get()) {
            crowd.connect().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
            Crowd.Outcome outcome = crowd.loop(Pace.closedLoop(Duration.ofSeconds(forSeconds), Long.MAX_VALUE));
            outcome.refused().counts().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
            return outcome;
        }
    }

    private void bulk(Lab lab, Gateway gateway, Report report, SSLContext user)
            throws IOException, InterruptedException {
        List<Double> rates = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        int requests = Math.max(1, MOST_AT_ONCE / batch);
        try (HttpsConnection connection = lab.connection(user)) {
            for (int i = 0; i <= repeat; i++) {
                double before = gateway.figures().cpuSeconds();
                long begin = System.nanoTime();
                for (int request = 0; request < requests; request++) {
                    RestRequests.makeMany(connection, batch, failures);
                }
                double taken = (System.nanoTime() - begin) / 1e9;
                if (i > 0) {
                    rates.add(requests * batch / taken);
                    cpu.add(1_000 * (gateway.figures().cpuSeconds() - before) / (requests * batch));
                }
                progress("many at once, turn " + i + " of " + repeat + ": " + Spread.show(requests * batch / taken)
                        + " jobs/s");
            }
        }
        report.spread(
                        "bulk_per_second",
                        Spread.of(rates),
                        "jobs made, " + batch + " at once, one connection",
                        Budget.atLeast(10_000))
                .spread("server_cpu_ms_bulk", Spread.of(cpu), "  server CPU per job, ms")
                .put("batch", batch);
    }

    private void list(
            Lab lab, Report report, SSLContext user, Path files, @Nullable Integer nginxPort, SSLContext plain)
            throws IOException, InterruptedException {
        for (boolean whole : List.of(true, false)) {
            String path = JOBS + "?limit=" + listed + (whole ? "" : "&fields=state,created");
            String what = "list of " + listed + " jobs, " + (whole ? "whole" : "three members of each") + ", 1 client";
            String key = whole ? "list" : "list_of_members";
            Row row = new Row(what, "ms", Row.Better.LOWER);
            try (HttpsConnection connection = lab.connection(user);
                    HttpsConnection theirs = Lab.connection(plain, nginxPort == null ? 0 : nginxPort)) {
                if (!only.isEmpty() && whole) {
                    RestRequests.makeMany(connection, listed, failures); // nothing before has made them
                }
                String body = RestRequests.checked(connection.get(path), listed);
                Files.write(files.resolve(key + ".json"), body.getBytes(StandardCharsets.UTF_8));
                for (int i = -2; i < 4 * repeat; i++) {
                    double ours = RestRequests.taken(connection, path);
                    double nginx =
                            nginxPort == null ? 0 : RestRequests.taken(theirs, NginxFloor.LISTED + key + ".json");
                    if (i >= 0) {
                        row.ours(ours);
                        if (nginxPort != null) {
                            row.peer("nginx, from a file", nginx);
                        }
                    }
                }
                report.row(row)
                        .number(
                                key + "_ms",
                                row.ours().median(),
                                "  median, ms",
                                whole ? Budget.atMost(100) : Budget.NONE)
                        .count(key + "_bytes", body.length(), "  bytes", Budget.NONE);
                progress(what + ": " + Spread.show(row.ours().median()) + " ms");
            }
        }
    }

    private void follow(Lab lab, Gateway gateway, Report report, List<SSLContext> all)
            throws IOException, InterruptedException {
        List<HttpsConnection> streams = IntStream.range(0, followers)
                .mapToObj(i -> lab.connection(all.get(i % all.size())).from(Clients.address(CLIENTS_ADDRESS + i)))
                .toList();
        Map<String, Long> sent = new ConcurrentHashMap<>();
        try (Followers following = new Followers(streams)) {
            progress(followers + " followers begin ...");
            following.begin(FOLLOWERS_BEGIN);
            double cpu = gateway.figures().cpuSeconds();
            Pace pace = Pace.openLoop(Duration.ofSeconds((long) seconds * repeat), Long.MAX_VALUE, news);
            RestRequests.makeNews(lab, all, pace, sent, failures);
            long wanted = (long) sent.size() * followers / users;
            for (int i = 0; i < 100 && following.news() < wanted; i++) {
                Thread.sleep(100);
            }
            cpu = gateway.figures().cpuSeconds() - cpu;
            Latencies.Percentiles lags = following.lags(sent).percentiles();
            report.latencies("lag_ms", lags, followers + " followers: lag of an event, ms")
                    .number("lag_p99_ms", lags.p99(), "  99th percentile, ms", Budget.atMost(250))
                    .count("news", following.news(), "  news that came", Budget.NONE)
                    .count(
                            "news_missing",
                            Math.max(0, wanted - following.news()),
                            "  news that did not come",
                            Budget.atMost(0))
                    .number(
                            "server_cpu_ms_event",
                            1_000 * cpu / Math.max(1, following.events()),
                            "  server CPU per event, ms",
                            Budget.NONE)
                    .put("jobs_followed", sent.size())
                    .put("failures_of_followers", following.refused().counts());
        }
    }
}
