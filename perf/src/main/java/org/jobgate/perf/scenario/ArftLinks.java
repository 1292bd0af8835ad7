// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files that go packed to a gateway's tree over networks of a given speed, with each codec, beside the same that are not packed: where packing pays.
 * Several streams are as many files of a part of the size each, at once. One gateway is both ends, before which the network is.
 */
final class ArftLinks {

    /** What the configuration says until the directory is known. */
    static final String TREE = "fileTrees: [ { name: arft, path: /nonexistent/arft, writable: true } ]";

    static final String AUTO = "auto";
    static final String PLAIN = "never";

    private static final String NO_TREE = "/nonexistent/arft";
    private static final Duration LIFETIME = Duration.ofHours(12);
    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final int POLL_MS = 20;
    private static final int MOST_AT_ONCE = 10;
    private static final double MEGA = 1e6;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Option(
            names = "--links",
            split = ",",
            defaultValue = "1,5,100",
            description =
                    "networks between two gateways, in Mbit/s, over which files go packed; 0 for none (default: ${DEFAULT-VALUE})")
    List<Double> links = new ArrayList<>();

    @Option(
            names = "--codecs",
            split = ",",
            defaultValue = "auto,zip:1,bzip2:9,zstd:1",
            description =
                    "what they are packed with beside not at all, as the option compress of a transfer has it; the first one is compared with the others"
                            + " (default: ${DEFAULT-VALUE})")
    List<String> codecs = new ArrayList<>();

    @Option(
            names = "--link-streams",
            split = ",",
            defaultValue = "1",
            description = "files of a part of the size each, at once, 1 to 32 (default: ${DEFAULT-VALUE})")
    List<Integer> streams = new ArrayList<>();

    @Option(
            names = "--link-contents",
            split = ",",
            defaultValue = "TEXT,RANDOM",
            description = "TEXT, RANDOM (default: ${DEFAULT-VALUE})")
    List<Arft.Content> contents = new ArrayList<>();

    @Option(
            names = "--link-seconds",
            defaultValue = "60",
            description =
                    "what would take longer over a network if it was not packed is left out (default: ${DEFAULT-VALUE})")
    int mostSeconds;

    @Option(names = "--only-links", description = "no GridFTP servers are compared")
    boolean only;

    @Option(names = "--link-repeat", defaultValue = "1", description = "turns of each (default: ${DEFAULT-VALUE})")
    int repeat;

    private long wrong;
    private int leftOut;

    /** Why the options make no sense; empty where they do. */
    String refusal() {
        boolean isGood = links.stream().allMatch(link -> link >= 0 && link <= 100_000)
                && streams.stream().allMatch(count -> count >= 1 && count <= 32)
                && mostSeconds >= 1
                && repeat >= 1
                && !codecs.isEmpty();
        return isGood
                ? ""
                : "--links wants Mbit/s of 0 to 100000, --link-streams 1 to 32, --link-seconds and --link-repeat at least 1, --codecs one or more";
    }

    /** Before the gateway's start. */
    static void prepare(Lab lab, Path directory) throws IOException {
        lab.configure(NO_TREE, directory.toString());
    }

    /**
     * Measures.
     *
     * @param sizes in MB; empty files are left out
     * @return how many copies were not as their source
     */
    long measure(Lab lab, Account account, Path directory, List<Integer> sizes, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        if (links.stream().noneMatch(link -> link > 0)) {
            return 0;
        }
        SSLContext tls = lab.tls();
        String credential;
        try (GramClient client = lab.client(tls)) {
            credential = requireNonNull(client.delegate(lab.signer(), LIFETIME), "no credential");
        } catch (RefusedException e) {
            throw new IOException("the gateway takes no credential", e);
        }
        try (HttpsConnection api = lab.connection(tls)) {
            for (double link : links) {
                for (Arft.Content content : contents) {
                    for (int size : sizes) {
                        for (int count : streams) {
                            if (link > 0 && size > 0 && isShort(link, size)) {
                                cell(
                                        new Cell(lab, account, directory, api, credential, link, content, size, count),
                                        report);
                            }
                        }
                    }
                }
            }
        }
        report.note(leftOut + " sizes were left out on networks over which they take more than " + mostSeconds
                + " s (--link-seconds). Packed transfers are of one gateway to itself through a network of the harness; a figure is of a whole job that moves"
                + " files, with its connections. Several streams are several files.");
        return wrong;
    }

    private boolean isShort(double link, int size) {
        boolean isShort = size * 8 / link <= mostSeconds;
        leftOut += isShort ? 0 : 1;
        return isShort;
    }

    /** One row of the table. */
    private record Cell(
            Lab lab,
            Account account,
            Path directory,
            HttpsConnection api,
            String credential,
            double link,
            Arft.Content content,
            int size,
            int streams) {

        String name() {
            String mbit = link == Math.rint(link) ? Long.toString((long) link) : Double.toString(link);
            return mbit + " Mbit/s, " + size + " MB, " + streams + (streams == 1 ? " stream, " : " streams, ")
                    + content.name().toLowerCase(Locale.ROOT);
        }

        List<Path> sources() {
            return IntStream.range(0, streams)
                    .mapToObj(i -> directory.resolve("link-" + i))
                    .toList();
        }
    }

    private void cell(Cell cell, Report report) throws IOException, InterruptedException {
        int own = (int) (cell.size() * MEGA / cell.streams());
        for (Path source : cell.sources()) {
            Arft.write(cell.content(), own, source);
            cell.account().own(source);
        }
        Row row = new Row(cell.name(), "s", Row.Better.LOWER);
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (int turn = 1; turn <= repeat; turn++) {
            Scenario.progress(row.name() + ": turn " + turn + " of " + repeat);
            for (String codec : codecs) {
                double seconds = moved(cell, codec, bytes);
                if (codec.equals(codecs.getFirst())) {
                    row.ours(seconds);
                } else {
                    row.peer(codec, seconds);
                }
            }
            row.peer(PLAIN, moved(cell, PLAIN, bytes));
        }
        report.row(row);
        report.put("bytes_" + row.name().replaceAll("[^A-Za-z0-9.]+", "_"), bytes);
        if (codecs.getFirst().equals(AUTO)) {
            report.number(
                    "auto_to_never_" + row.name().replaceAll("[^A-Za-z0-9.]+", "_"),
                    requireNonNull(row.ratios().get(PLAIN), "nothing was not packed")
                            .median(),
                    row.name() + ": auto / not packed",
                    Budget.atMost(1.1));
        }
        for (Path source : cell.sources()) {
            Files.delete(source);
        }
    }

    /** Seconds until the job is done that sends the files so; what went over the network is kept in {@code bytes}. */
    private double moved(Cell cell, String compress, Map<String, Long> bytes) throws IOException, InterruptedException {
        int port = URI.create(cell.lab().url()).getPort();
        try (SlowLink network = SlowLink.before(port, cell.link())) {
            String tree = "https://localhost:" + network.port() + "/api/v1/trees/arft/content/";
            String files = cell.sources().stream()
                    .map(source -> "{\"source\":\"file://" + source + "\",\"destination\":\"" + tree + "copy-"
                            + source.getFileName() + "\"}")
                    .collect(Collectors.joining(","));
            String request = "{\"stageIn\":[" + files + "],\"credentials\":{\"files\":\"" + cell.credential()
                    + "\"},\"stageInOptions\":{\"compress\":\"" + compress + "\",\"concurrency\":\""
                    + Math.min(MOST_AT_ONCE, cell.streams()) + "\"}}";
            long begin = System.nanoTime();
            HttpReply reply = cell.api().send("POST", "/api/v1/jobs", "application/json", request);
            if (reply.status() != 201) {
                throw new IOException("the gateway answered " + reply.status() + ": " + reply.body());
            }
            String job = JSON.readTree(reply.body()).path("id").asString("");
            String state = awaitEnd(cell.api(), job);
            double seconds = (System.nanoTime() - begin) / 1e9;
            bytes.put(compress, network.sent());
            if (!state.equals("Done")) {
                throw new IOException("the job " + job + " ended as " + state + " (" + compress + ")");
            }
            for (Path source : cell.sources()) {
                Path copy = cell.directory().resolve("copy-" + source.getFileName());
                wrong += Files.mismatch(source, copy) == -1 ? 0 : 1;
                Files.delete(copy);
            }
            return seconds;
        }
    }

    private static String awaitEnd(HttpsConnection api, String job) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < end) {
            JsonNode view = JSON.readTree(api.get("/api/v1/jobs/" + job).body());
            String state = view.path("state").asString("");
            if (List.of("Done", "Failed", "Cancelled").contains(state)) {
                return state;
            }
            Thread.sleep(POLL_MS);
        }
        throw new IOException("the job " + job + " did not end within " + TIMEOUT);
    }
}
