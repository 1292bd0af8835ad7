// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;
import org.jobgate.transfer.https.Compression;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that go packed between two gateways, the other one played by a server that knows as much of it as the test says. */
class PackedTransfersTest {

    private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");
    private static final int PART = 1024 * 1024;
    private static final int SIZE = 3 * PART + 17;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream stored = new ByteArrayOutputStream();

    /** What came of transfers that are not the one of most tests. */
    private final Map<String, ByteArrayOutputStream> others = new ConcurrentHashMap<>();

    private HttpServer server;
    private volatile boolean isGateway = true;
    private volatile boolean knowsUploads = true;
    private volatile boolean addsBytes;

    /** What the gateway packs and unpacks. */
    private volatile String known = "zstd, gzip, zip, bzip2";

    /** Whether it refuses what it said that it knows. */
    private volatile boolean refusesPacked;

    /** Bytes a second on the network; 0 for as many as there are. */
    private volatile long bytesPerSecond;

    private final AtomicLong bytesOnTheWay = new AtomicLong();
    private volatile byte[] file = new byte[0];

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String range = exchange.getRequestHeaders().getFirst("Content-Range");
            String coding = exchange.getRequestHeaders().getFirst("Jobgate-Encoding");
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + range + " " + coding);
            switch (exchange.getRequestMethod()) {
                case "GET" -> answer(exchange, coding);
                case "DELETE" -> {
                    stored(exchange).reset();
                    exchange.sendResponseHeaders(204, -1);
                }
                default -> take(exchange, range, coding);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private ByteArrayOutputStream stored(HttpExchange exchange) {
        String upload = exchange.getRequestHeaders().getFirst("Jobgate-Upload");
        return upload == null || upload.equals("id")
                ? stored
                : others.computeIfAbsent(upload, any -> new ByteArrayOutputStream());
    }

    private void answer(HttpExchange exchange, String coding) throws IOException {
        if (isGateway && "upload".equals(exchange.getRequestURI().getRawQuery())) {
            exchange.getResponseHeaders()
                    .set("Upload-Offset", Integer.toString(stored(exchange).size()));
            if (knowsUploads) {
                exchange.getResponseHeaders()
                        .set("Jobgate-Upload", exchange.getRequestHeaders().getFirst("Jobgate-Upload"));
            }
            exchange.getResponseHeaders().set("Jobgate-Encoding", known);
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        String ofVersion = exchange.getRequestHeaders().getFirst("If-Range");
        boolean isChanged = ofVersion != null && !ofVersion.equals("\"one\"");
        String range = isChanged ? null : exchange.getRequestHeaders().getFirst("Range");
        Matcher asked = Pattern.compile("bytes=(\\d+)-(\\d*)").matcher(isGateway && range != null ? range : "bytes=0-");
        assertThat(asked.matches()).isTrue();
        int from = Integer.parseInt(asked.group(1));
        if (isGateway && range != null && from >= file.length) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        int to = asked.group(2).isEmpty() ? file.length : Math.min(file.length, Integer.parseInt(asked.group(2)) + 1);
        byte[] part = Arrays.copyOfRange(file, from, to);
        exchange.getResponseHeaders().set("ETag", "\"one\"");
        if (isGateway && range != null) {
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + file.length);
        }
        byte[] sent = part;
        CodecLevel packer = isGateway && coding != null ? packer(coding) : null;
        if (packer != null) {
            exchange.getResponseHeaders().set("Jobgate-Encoding", packer.codec().word());
            sent = packed(packer, addsBytes ? Arrays.copyOf(part, part.length + 1) : part);
        }
        bytesOnTheWay.addAndGet(sent.length);
        exchange.sendResponseHeaders(isGateway && range != null ? 206 : 200, sent.length == 0 ? -1 : sent.length);
        rest(sent.length);
        exchange.getResponseBody().write(sent);
    }

    private void rest(long bytes) {
        if (bytesPerSecond > 0) {
            LockSupport.parkNanos(bytes * 1_000_000_000L / bytesPerSecond);
        }
    }

    /** The first that it knows. */
    private @Nullable CodecLevel packer(String words) {
        List<String> mine = List.of(known.split(", "));
        return Arrays.stream(words.split(","))
                .flatMap(word -> CodecLevel.parse(word).stream())
                .filter(one -> mine.contains(one.codec().word()))
                .findFirst()
                .orElse(null);
    }

    private static byte[] packed(CodecLevel codec, byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Packing packing = codec.codec().packing(out, codec.level())) {
            packing.write(bytes);
            packing.finish();
        }
        return out.toByteArray();
    }

    private void take(HttpExchange exchange, String range, String coding) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        bytesOnTheWay.addAndGet(body.length);
        rest(body.length);
        if (coding != null && refusesPacked) {
            exchange.sendResponseHeaders(503, -1);
            return;
        }
        byte[] part = coding == null
                ? body
                : Codec.find(coding)
                        .orElseThrow()
                        .unpacking(new ByteArrayInputStream(body), PART)
                        .readAllBytes();
        boolean isWhole = range == null;
        if (range != null) {
            Matcher said = RANGE.matcher(range);
            assertThat(said.matches()).isTrue();
            assertThat(Integer.parseInt(said.group(1)))
                    .isEqualTo(stored(exchange).size());
            assertThat(part).hasSize(Integer.parseInt(said.group(2)) - Integer.parseInt(said.group(1)) + 1);
            isWhole = Integer.parseInt(said.group(2)) + 1 == Integer.parseInt(said.group(3));
        }
        stored(exchange).writeBytes(part);
        exchange.sendResponseHeaders(isWhole ? 204 : 202, -1);
    }

    private static byte[] text() {
        byte[] bytes = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            bytes[i] = (byte) ('a' + i % 7 + i / 4096 % 11);
        }
        return bytes;
    }

    private URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/file");
    }

    private HttpsProtocol protocol(PackingSettings packing) {
        return HttpsProtocol.plain(
                credential -> {
                    try {
                        return SSLContext.getDefault(); // nothing is encrypted here
                    } catch (NoSuchAlgorithmException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Duration.ofSeconds(20),
                new UrlPolicy(true),
                packing,
                PlainHosts.parse(List.of("localhost:" + server.getAddress().getPort())));
    }

    private static TransferContext context(String compress) {
        return context("id", compress);
    }

    private static TransferContext context(String id, String compress) {
        Map<String, String> options = compress.isEmpty() ? Map.of() : Map.of(Compression.OPTION, compress);
        return new TransferContext(id, "alice", null, options, false, Duration.ofSeconds(20), null, new Heard());
    }

    @Test
    void aFileIsSentInPackedPartsAndEachIsPartOfTheFile() throws Exception {
        byte[] content = text();
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThat(http.kept(url(), context("always"))).isZero();
            http.store(Heard.source(content, 0), url(), context("always"));
        }
        assertThat(stored.toByteArray()).isEqualTo(content);
        assertThat(bytesOnTheWay.get()).isLessThan(SIZE / 10);
        assertThat(requests)
                .contains(
                        "PUT /file bytes 0-1048575/" + SIZE + " zstd",
                        "PUT /file bytes 3145728-3145744/" + SIZE + " null");
    }

    @Test
    void aFurtherAttemptGoesOnWhereTheGatewayHasIt() throws Exception {
        byte[] content = text();
        stored.write(content, 0, 2_000_000);
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThat(http.kept(url(), context("always"))).isEqualTo(2_000_000);
            http.store(Heard.source(content, 2_000_000), url(), context("always"));
        }
        assertThat(stored.toByteArray()).isEqualTo(content);
        assertThat(requests.stream().filter(request -> request.startsWith("PUT")))
                .first()
                .asString()
                .contains("bytes 2000000-3048575/");
    }

    /** Where nobody asks for it, and at servers that are no gateways, nothing is different. */
    @Test
    void otherServersGetTheFileAsEver() throws Exception {
        byte[] content = text();
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            http.store(Heard.source(content, 0), url(), context(""));
            assertThat(requests).containsExactly("PUT /file null null");
            assertThat(stored.toByteArray()).isEqualTo(content);
            stored.reset();
            isGateway = false;
            assertThat(http.kept(url(), context("always"))).isZero();
            http.store(Heard.source(content, 0), url(), context("always"));
            assertThat(stored.toByteArray()).isEqualTo(content);
            assertThat(requests).last().isEqualTo("PUT /file null null");
            file = content;
            try (Source source = http.open(url(), 0, "", context("always"))) {
                assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            }
        }
    }

    @Test
    void whatCannotBeMadeSmallerGoesAsItIs() throws Exception {
        byte[] content = new byte[SIZE];
        new Random(1).nextBytes(content);
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            http.store(Heard.source(content, 0), url(), context("always"));
            assertThat(stored.toByteArray()).isEqualTo(content);
            assertThat(requests).noneMatch(request -> request.startsWith("PUT") && !request.endsWith("null"));
            // this network is faster than packing
            stored.reset();
            http.store(Heard.source(text(), 0), url(), context("auto"));
            assertThat(stored.toByteArray()).isEqualTo(text());
        }
    }

    @Test
    void aFileIsFetchedPackedFromAnyOffset() throws Exception {
        file = text();
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            try (Source whole = http.open(url(), 0, "", context("always"))) {
                assertThat(whole.size()).isEqualTo(SIZE);
                assertThat(whole.version()).isEqualTo("\"one\"");
                assertThat(whole.bytes().readAllBytes()).isEqualTo(file);
            }
            assertThat(bytesOnTheWay.get()).isLessThan(SIZE / 10);
            try (Source rest = http.open(url(), 3_000_000, "\"one\"", context("always"))) {
                assertThat(rest.start()).isEqualTo(3_000_000);
                assertThat(rest.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(file, 3_000_000, SIZE));
            }
            file = new byte[0];
            try (Source empty = http.open(url(), 0, "", context("always"))) {
                assertThat(empty.bytes().readAllBytes()).isEmpty();
            }
        }
    }

    @Test
    void aSourceThatChangedIsFetchedWhole() throws Exception {
        file = text();
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS);
                Source whole = http.open(url(), 3_000_000, "\"old\"", context("always"))) {
            assertThat(whole.start()).isZero();
            assertThat(whole.size()).isEqualTo(SIZE);
            assertThat(whole.bytes().readAllBytes()).isEqualTo(file);
        }
    }

    @Test
    void twoTransfersToOneFileAreNotMixedAndWhatIsGivenUpIsRemoved() throws Exception {
        byte[] content = text();
        byte[] another = content.clone();
        Arrays.fill(another, 0, 2_000_000, (byte) 'z');
        stored.write(content, 0, 1_500_000);
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        others.put("two", two);
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThat(http.kept(url(), context("two", "always"))).isZero();
            http.store(Heard.source(another, 0), url(), context("two", "always"));
            http.store(Heard.source(content, 1_500_000), url(), context("always"));
            assertThat(two.toByteArray()).isEqualTo(another);
            assertThat(stored.toByteArray()).isEqualTo(content);

            http.abandon(url(), context("two", ""));
            assertThat(two.size()).isEqualTo(SIZE);
            http.abandon(url(), context("two", "always"));
            assertThat(two.size()).isZero();
            assertThat(stored.toByteArray()).as("the other one's").isEqualTo(content);
            assertThat(requests).last().asString().startsWith("DELETE /file?upload ");
            requests.clear();
            http.abandon(url(), context("two", "always"));
            knowsUploads = false;
            http.abandon(url(), context("always"));
            isGateway = false;
            http.abandon(url(), context("always"));
            assertThat(requests)
                    .as("nothing is deleted at a server that may take it for the file")
                    .noneMatch(request -> request.startsWith("DELETE"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd:3", "gzip:9", "zip", "bzip2:1"})
    void eachCodecGoesThereAndComesBackFromAnyOffset(String codec) throws Exception {
        byte[] content = text();
        file = content;
        String word = codec.replaceAll(":.*", "");
        Heard heard = new Heard();
        TransferContext context = context(codec).with(null, heard);
        stored.write(content, 0, 1_500_000);
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThat(http.kept(url(), context)).isEqualTo(1_500_000);
            http.store(Heard.source(content, 1_500_000), url(), context);
            assertThat(stored.toByteArray()).isEqualTo(content);
            assertThat(heard.notes)
                    .singleElement()
                    .asString()
                    .contains("parts with " + CodecLevel.parse(codec).orElseThrow());
            try (Source rest = http.open(url(), 1_000_000, "\"one\"", context)) {
                assertThat(rest.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1_000_000, SIZE));
            }
        }
        assertThat(heard.notes).hasSize(2);
        assertThat(requests)
                .anyMatch(request ->
                        request.startsWith("PUT /file bytes 1500000-2548575/") && request.endsWith(" " + word))
                .anyMatch(request -> request.startsWith("GET /file null " + word));
        assertThat(bytesOnTheWay.get()).isLessThan(SIZE / 5);
    }

    /** Each says what it can; a codec that the other one does not know, or not now, is no failure. */
    @Test
    void whatTheOtherGatewayDoesNotKnowIsNotUsed() throws Exception {
        byte[] content = text();
        file = content;
        known = "gzip";
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            http.store(Heard.source(content, 0), url(), context("always"));
            http.store(Heard.source(content, 0), url(), context("one", "bzip2:9"));
            refusesPacked = true;
            http.store(Heard.source(content, 0), url(), context("two", "always"));
            assertThat(stored.toByteArray()).isEqualTo(content);
            assertThat(others)
                    .extractingByKey("one")
                    .extracting(ByteArrayOutputStream::toByteArray)
                    .isEqualTo(content);
            assertThat(others)
                    .extractingByKey("two")
                    .extracting(ByteArrayOutputStream::toByteArray)
                    .isEqualTo(content);
            assertThat(requests.stream().filter(request -> request.endsWith(" gzip")))
                    .hasSize(3 + 1);
            try (Source source = http.open(url(), 0, "", context("bzip2:9"))) {
                assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            }
        }
    }

    /** A file of which the other gateway says another version in the middle is not put together of both. */
    @Test
    void aFileThatChangesBetweenTwoPiecesIsNotMixed() throws Exception {
        file = text();
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS);
                Source source = http.open(url(), 0, "", context("always"))) {
            assertThat(source.bytes().readNBytes(1000)).isEqualTo(Arrays.copyOf(file, 1000));
            file = Arrays.copyOf(file, SIZE - 5);
            assertThatThrownBy(() -> source.bytes().readAllBytes())
                    .hasMessageContaining("changed while it was fetched");
        }
    }

    /** At 1 MB/s packing pays, in both directions; without a limit it does not. */
    @Test
    void autoPacksWhereTheNetworkIsSlow() throws Exception {
        byte[] content = text();
        file = content;
        bytesPerSecond = 4_000_000;
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            http.store(Heard.source(content, 0), url(), context("auto"));
            assertThat(requests.stream()
                            .filter(request -> request.startsWith("PUT"))
                            .skip(1))
                    .as("but for the first part, which tells the speed")
                    .first()
                    .asString()
                    .endsWith("zstd");
            requests.clear();
            http.store(Heard.source(content, 0), url(), context("next", "auto"));
            assertThat(requests.stream().filter(request -> request.startsWith("PUT")))
                    .as("the speed of the network is known now")
                    .first()
                    .asString()
                    .endsWith("zstd");
            long before = bytesOnTheWay.get();
            try (Source source = http.open(url(), 0, "", context("auto"))) {
                assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            }
            assertThat(bytesOnTheWay.get() - before).isLessThan(SIZE / 3);
        }
    }

    /** The site may say what is done where the transfer does not. */
    @Test
    void theSiteSaysWhatIsPackedWithoutTheOption() throws Exception {
        try (HttpsProtocol http = protocol(PackingSettings.parse("zip:6", List.of("gzip")))) {
            http.store(Heard.source(text(), 0), url(), context(""));
            http.store(Heard.source(text(), 0), url(), context("one", "never"));
        }
        assertThat(requests).anyMatch(request -> request.endsWith(" zip"));
        assertThat(requests).last().isEqualTo("PUT /file null null");
    }

    @Test
    void noMoreIsUnpackedThanWasAnnounced() throws Exception {
        file = text();
        addsBytes = true;
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThatThrownBy(() -> http.open(url(), 0, "", context("always")))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("more bytes than were announced");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lzma", "true", "Always", "gzip:0", "zstd:10"})
    void theOptionHasTheseValues(String value) throws Exception {
        assertThat(Compression.refusal(value)).get().asString().contains("never, auto, always");
        try (HttpsProtocol http = protocol(PackingSettings.DEFAULTS)) {
            assertThatThrownBy(() -> http.open(url(), 0, "", context(value))).isInstanceOf(TransferException.class);
        }
    }
}
