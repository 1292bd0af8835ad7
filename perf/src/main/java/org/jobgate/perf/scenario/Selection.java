// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Series;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The policies by which a GridFTP server is chosen, under load, where the servers are not alike: more and more clients at once, each looping
 * srmPrepareToGet, a transfer at the server that its URL names, srmReleaseFiles.
 */
@Command(
        name = "selection",
        description =
                "clients that get files by SRM over file servers that are not alike: files per second by each policy of staging.serverSelection")
public final class Selection extends Scenario {

    private static final String SRM = "/srm/v2/server";
    private static final String FIRST = "round-robin";

    @Option(
            names = "--policies",
            split = ",",
            defaultValue = "round-robin,random,least-load",
            description = "policies of staging.serverSelection (default: ${DEFAULT-VALUE})")
    List<String> policies = new ArrayList<>();

    @Option(
            names = "--millis",
            split = ",",
            defaultValue = "20,20,200",
            description = "how long a file takes at each of the servers (default: ${DEFAULT-VALUE})")
    List<Integer> millis = new ArrayList<>();

    @Option(
            names = "--places",
            defaultValue = "4",
            description = "for so many files at once, at each server (default: ${DEFAULT-VALUE})")
    int places;

    @Option(
            names = "--clients",
            split = ",",
            defaultValue = "3,12,24,48",
            description = "how many get files at once, one measurement after another (default: ${DEFAULT-VALUE})")
    List<Integer> clients = new ArrayList<>();

    @Option(names = "--seconds", defaultValue = "10", description = "of each measurement (default: ${DEFAULT-VALUE})")
    int seconds;

    private @Nullable SkewedServers servers;

    /** With default options. */
    public Selection() {
        super("selection");
    }

    @Override
    void checkOptions() {
        require(millis.size() > 1, "--millis wants a time for each of two servers at least");
        require(places > 0, "--places wants at least 1");
        require(clients.stream().allMatch(number -> number > 0), "--clients wants numbers of at least 1");
    }

    /** The servers' ports stand in the configuration. */
    @Override
    String settings() {
        try {
            SkewedServers made = new SkewedServers(millis, places);
            servers = made;
            return "fileTrees: [ { name: machine, path: / } ]\n" + "staging: { servers: [ " + made.configuration()
                    + " ], serverSelection: " + FIRST + ", serverProbeInterval: 1s }";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        boolean isGood = true;
        try (SkewedServers all = requireNonNull(servers)) {
            Path file = Files.writeString(lab.work().resolve("file"), "x");
            String before = FIRST;
            for (String policy : policies) {
                lab.configure("serverSelection: " + before, "serverSelection: " + policy);
                before = policy;
                gateway.start();
                isGood &= measure(lab, all, "/machine" + file.toAbsolutePath(), policy, report);
                gateway.stop();
            }
        }
        report.put("millis", millis).put("places", places).put("seconds", seconds);
        report.note(
                "The servers are of this harness: they greet, and a file takes its time at each of them; no bytes are moved. "
                        + "All that can be moved in a second is what all places of all servers give: "
                        + Math.round(millis.stream()
                                .mapToDouble(each -> 1_000.0 * places / each)
                                .sum())
                        + " files.");
        return isGood;
    }

    private boolean measure(Lab lab, SkewedServers all, String path, String policy, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        SSLContext tls = lab.tls();
        String key = policy.replace('-', '_');
        List<Series.Point> rates = new ArrayList<>();
        boolean isGood = true;
        for (int number : clients) {
            List<HttpsConnection> connections = new ArrayList<>();
            List<Crowd.Client> readers = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                HttpsConnection connection = lab.connection(tls).from(Clients.address(i));
                connections.add(connection);
                readers.add(() -> get(connection, path, all));
            }
            try (Clients crowd = new Clients(new Crowd(readers), connections)) {
                isGood &= crowd.crowd().connect().counts().isEmpty();
                var unused = all.counts();
                Crowd.Outcome outcome =
                        crowd.crowd().loop(Pace.closedLoop(Duration.ofSeconds(seconds), Long.MAX_VALUE));
                isGood &= outcome.refused().counts().isEmpty();
                List<Long> counts = all.counts();
                Latencies.Percentiles latencies = outcome.latencies().percentiles();
                progress(policy + ", " + number + " clients: " + Spread.show(outcome.perSecond())
                        + " files/s, by server " + counts);
                rates.add(new Series.Point(number, outcome.perSecond()));
                report.number(
                                "files_per_second_" + key + "_" + number,
                                outcome.perSecond(),
                                policy + ", " + number + " clients, files/s",
                                Budget.NONE)
                        .latencies("latency_ms_" + key + "_" + number, latencies, "  time for a file, ms")
                        .put("by_server_" + key + "_" + number, counts)
                        .put(
                                "failures_" + key + "_" + number,
                                new TreeMap<>(outcome.refused().counts()));
            }
        }
        report.series(new Series("files per second by " + policy, "clients at once", "1/s", rates));
        return isGood;
    }

    private static void get(HttpsConnection connection, String path, SkewedServers all)
            throws IOException, RefusedException {
        String asked = ask(
                connection,
                "srmPrepareToGet",
                "<arrayOfFileRequests><requestArray><sourceSURL>srm://localhost" + path
                        + "</sourceSURL></requestArray></arrayOfFileRequests><transferParameters>"
                        + "<arrayOfTransferProtocols><stringArray>gsiftp</stringArray></arrayOfTransferProtocols>"
                        + "</transferParameters>");
        all.move(text(asked, "transferURL"));
        var unused =
                ask(connection, "srmReleaseFiles", "<requestToken>" + text(asked, "requestToken") + "</requestToken>");
    }

    private static String ask(HttpsConnection connection, String operation, String content)
            throws IOException, RefusedException {
        HttpReply reply = connection.post(
                SRM,
                "",
                "<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"><S:Body><s:" + operation
                        + " xmlns:s=\"http://srm.lbl.gov/StorageResourceManager\"><" + operation + "Request>" + content
                        + "</" + operation + "Request></s:" + operation + "></S:Body></S:Envelope>");
        if (reply.status() != 200 || !reply.body().contains("<returnStatus><statusCode>SRM_SUCCESS<")) {
            throw new RefusedException(reply.status(), reply.body());
        }
        return reply.body();
    }

    private static String text(String answer, String name) throws IOException {
        int from = answer.indexOf("<" + name + ">");
        int to = answer.indexOf("</" + name + ">");
        if (from < 0 || to < from) {
            throw new IOException("the answer has no " + name + ": " + answer);
        }
        return answer.substring(from + name.length() + 2, to);
    }
}
