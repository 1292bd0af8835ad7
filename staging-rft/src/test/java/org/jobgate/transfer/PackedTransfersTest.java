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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.https.Compression;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that go packed between two gateways, the other one played by a server that knows as much of it as the test says. */
class PackedTransfersTest {

    private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");
    private static final int SIZE = 3 * 1024 * 1024 + 17;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream stored = new ByteArrayOutputStream();

    /** What came of transfers that are not the one of most tests. */
    private final Map<String, ByteArrayOutputStream> others = new ConcurrentHashMap<>();

    private HttpServer server;
    private volatile boolean isGateway = true;
    private volatile boolean knowsUploads = true;
    private volatile boolean addsBytes;
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
            exchange.getResponseHeaders().set("Jobgate-Encoding", "zstd, gzip");
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        String ofVersion = exchange.getRequestHeaders().getFirst("If-Range");
        boolean isChanged = ofVersion != null && !ofVersion.equals("\"one\"");
        String range = isChanged ? null : exchange.getRequestHeaders().getFirst("Range");
        int from = !isGateway || range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
        if (isGateway && range != null && from >= file.length) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        byte[] part = Arrays.copyOfRange(file, from, file.length);
        exchange.getResponseHeaders().set("ETag", "\"one\"");
        if (isGateway && range != null) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (file.length - 1) + "/" + file.length);
        }
        byte[] sent = part;
        if (isGateway && coding != null) {
            exchange.getResponseHeaders().set("Jobgate-Encoding", "gzip");
            sent = gzip(addsBytes ? Arrays.copyOf(part, part.length + 1) : part);
        }
        bytesOnTheWay.addAndGet(sent.length);
        exchange.sendResponseHeaders(isGateway && range != null ? 206 : 200, sent.length == 0 ? -1 : sent.length);
        exchange.getResponseBody().write(sent);
    }

    private void take(HttpExchange exchange, String range, String coding) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        bytesOnTheWay.addAndGet(body.length);
        byte[] part = coding == null ? body : new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
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

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
            packed.write(bytes);
        }
        return out.toByteArray();
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

    private HttpsProtocol protocol() {
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
        try (HttpsProtocol http = protocol()) {
            assertThat(http.kept(url(), context("always"))).isZero();
            http.store(Heard.source(content, 0), url(), context("always"));
        }
        assertThat(stored.toByteArray()).isEqualTo(content);
        assertThat(bytesOnTheWay.get()).isLessThan(SIZE / 10);
        assertThat(requests)
                .contains(
                        "PUT /file bytes 0-1048575/" + SIZE + " gzip",
                        "PUT /file bytes 3145728-3145744/" + SIZE + " null");
    }

    @Test
    void aFurtherAttemptGoesOnWhereTheGatewayHasIt() throws Exception {
        byte[] content = text();
        stored.write(content, 0, 2_000_000);
        try (HttpsProtocol http = protocol()) {
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
        try (HttpsProtocol http = protocol()) {
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
        try (HttpsProtocol http = protocol()) {
            http.store(Heard.source(content, 0), url(), context("always"));
            assertThat(stored.toByteArray()).isEqualTo(content);
            assertThat(requests).noneMatch(request -> request.startsWith("PUT") && request.endsWith("gzip"));
            // this network is faster than packing
            stored.reset();
            http.store(Heard.source(text(), 0), url(), context("auto"));
            assertThat(stored.toByteArray()).isEqualTo(text());
        }
    }

    @Test
    void aFileIsFetchedPackedFromAnyOffset() throws Exception {
        file = text();
        try (HttpsProtocol http = protocol()) {
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

    /** The answer is the whole file then, packed, and what HTTP says of its length is the length on the wire. */
    @Test
    void aSourceThatChangedIsFetchedWholeAndItsSizeIsNotThatOfWhatIsPacked() throws Exception {
        file = text();
        try (HttpsProtocol http = protocol();
                Source whole = http.open(url(), 3_000_000, "\"old\"", context("always"))) {
            assertThat(whole.start()).isZero();
            assertThat(whole.size()).isEqualTo(Source.UNKNOWN);
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
        try (HttpsProtocol http = protocol()) {
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

    @Test
    void noMoreIsUnpackedThanWasAnnounced() throws Exception {
        file = text();
        addsBytes = true;
        try (HttpsProtocol http = protocol();
                Source source = http.open(url(), 0, "", context("always"))) {
            assertThatThrownBy(() -> source.bytes().readAllBytes()).hasMessageContaining("more than it had announced");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "true", "Always"})
    void theOptionHasThreeValues(String value) throws Exception {
        assertThat(Compression.refusal(value)).get().asString().contains("never, auto, always");
        try (HttpsProtocol http = protocol()) {
            assertThatThrownBy(() -> http.open(url(), 0, "", context(value))).isInstanceOf(TransferException.class);
        }
    }
}
