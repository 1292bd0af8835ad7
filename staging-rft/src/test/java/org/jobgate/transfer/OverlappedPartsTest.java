// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jobgate.packing.Codec;
import org.jobgate.packing.Packing;
import org.jobgate.transfer.https.Compression;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The next part of a file is made ready while the one before is on its way, never more than one, and what is not packed goes in long stretches. */
class OverlappedPartsTest {

    private static final Pattern RANGE = Pattern.compile("bytes[ =](\\d+)-(\\d+)(/\\d+)?");
    private static final int PART = 1024 * 1024;
    private static final int SIZE = 4 * PART + 5;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream stored = new ByteArrayOutputStream();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private HttpServer server;
    private HttpsProtocol http;
    private volatile byte[] file = new byte[0];

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isPut = exchange.getRequestMethod().equals("PUT");
            String range = exchange.getRequestHeaders().getFirst(isPut ? "Content-Range" : "Range");
            requests.add(exchange.getRequestMethod() + " " + range);
            if (isPut) {
                take(exchange, range);
            } else if (range == null) {
                exchange.getResponseHeaders().set("Upload-Offset", "0");
                exchange.getResponseHeaders().set("Jobgate-Encoding", "zstd");
                exchange.sendResponseHeaders(204, -1);
            } else {
                answer(exchange, range);
            }
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        http = HttpsProtocol.plain(
                credential -> {
                    try {
                        return SSLContext.getDefault(); // nothing is encrypted here
                    } catch (NoSuchAlgorithmException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Duration.ofSeconds(20),
                new UrlPolicy(true),
                PackingSettings.DEFAULTS,
                PlainHosts.parse(List.of("localhost:" + port)));
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        http.close();
        server.stop(0);
    }

    /** A gateway that answers the first part when the test lets it. */
    private void take(HttpExchange exchange, String range) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        awaitGoOn();
        Matcher said = RANGE.matcher(range);
        assertThat(said.matches()).isTrue();
        assertThat(Integer.parseInt(said.group(1))).as("in order").isEqualTo(stored.size());
        boolean isPacked = exchange.getRequestHeaders().containsKey("Jobgate-Encoding");
        stored.writeBytes(
                isPacked
                        ? Codec.ZSTD
                                .unpacking(new ByteArrayInputStream(body), PART)
                                .readAllBytes()
                        : body);
        boolean isWhole = range.endsWith("/" + (Integer.parseInt(said.group(2)) + 1));
        exchange.sendResponseHeaders(isWhole ? 204 : 202, -1);
    }

    private void awaitGoOn() throws InterruptedIOException {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw (InterruptedIOException) new InterruptedIOException("the server was stopped").initCause(e);
        }
    }

    private void answer(HttpExchange exchange, String range) throws IOException {
        Matcher asked = RANGE.matcher(range);
        assertThat(asked.matches()).isTrue();
        int from = Integer.parseInt(asked.group(1));
        int to = Math.min(file.length, Integer.parseInt(asked.group(2)) + 1);
        boolean isPacked = exchange.getRequestHeaders().containsKey("Jobgate-Encoding");
        byte[] sent = Arrays.copyOfRange(file, from, to);
        exchange.getResponseHeaders().set("ETag", "\"one\"");
        if (isPacked) {
            sent = packed(sent);
            exchange.getResponseHeaders().set("Jobgate-Encoding", "zstd");
        }
        exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + file.length);
        exchange.sendResponseHeaders(206, sent.length);
        exchange.getResponseBody().write(sent);
    }

    private static byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Packing packing = Codec.ZSTD.packing(out, 1)) {
            packing.write(bytes, 0, bytes.length);
            packing.finish();
        }
        return out.toByteArray();
    }

    private URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/file");
    }

    private static TransferContext context(String compress) {
        Map<String, String> options = Map.of(Compression.OPTION, compress);
        return new TransferContext("id", "alice", null, options, false, Duration.ofSeconds(20), null, new Heard());
    }

    private static byte[] text() {
        byte[] bytes = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            bytes[i] = (byte) ('a' + i % 7 + i / 4096 % 11);
        }
        return bytes;
    }

    /** Counts what is read of it. */
    private static class Counted extends InputStream {
        final AtomicInteger read = new AtomicInteger();
        private final byte[] content;

        Counted(byte[] content) {
            this.content = content;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int at = read.get();
            if (length > 0 && at == content.length) {
                return -1;
            }
            int got = Math.min(length, content.length - at);
            System.arraycopy(content, at, into, from, got);
            read.addAndGet(got);
            return got;
        }
    }

    private FutureTask<Void> sending(InputStream bytes, String compress) {
        return new FutureTask<>(() -> {
            http.store(new Source(0, SIZE, "", bytes), url(), context(compress));
            return null;
        });
    }

    private long puts() {
        return requests.stream().filter(request -> request.startsWith("PUT")).count();
    }

    @Test
    void onePartIsMadeReadyWhileTheOneBeforeIsOnItsWay() throws Exception {
        byte[] content = text();
        Counted source = new Counted(content);
        FutureTask<Void> task = sending(source, "always");
        Thread sender = Thread.ofPlatform().start(task);
        await().until(() -> puts() == 1 && source.read.get() == 2 * PART);
        goOn.countDown();
        task.get();
        sender.join();
        assertThat(stored.toByteArray()).isEqualTo(content);
        assertThat(requests.stream().filter(request -> request.startsWith("PUT")))
                .startsWith("PUT bytes 0-1048575/" + SIZE, "PUT bytes 1048576-2097151/" + SIZE)
                .hasSize(5);
    }

    /** What is made ready ends with the transfer: its thread, which would otherwise wait for the source for ever. */
    @Test
    void aTransferThatIsStoppedEndsWhatIsMadeReady() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        InputStream source = new Counted(text()) {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (length == 0 || read.get() < PART) {
                    return super.read(into, from, Math.min(length, Math.max(0, PART - read.get())));
                }
                waits.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    ended.countDown();
                    throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(e);
                }
                return -1;
            }
        };
        FutureTask<Void> task = sending(source, "always");
        Thread sender = Thread.ofPlatform().start(task);
        waits.await();
        await().until(() -> puts() == 1);
        sender.interrupt();
        sender.join();
        assertThatThrownBy(task::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(ended.getCount()).as("before the transfer ended").isZero();
    }

    @Test
    void aSourceThatFailsFailsTheTransferBehindWhatCameOfIt() throws Exception {
        goOn.countDown();
        byte[] content = text();
        for (String compress : List.of("always", "auto")) {
            stored.reset();
            InputStream source = new Counted(content) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    if (length > 0 && read.get() >= 2 * PART) {
                        throw new IOException("the disk is broken");
                    }
                    return super.read(into, from, Math.min(length, 2 * PART - read.get()));
                }
            };
            FutureTask<Void> task = sending(source, compress);
            task.run();
            assertThatThrownBy(task::get)
                    .cause()
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("reading the source")
                    .hasMessageContaining("the disk is broken");
            assertThat(stored.toByteArray())
                    .as(compress)
                    .hasSizeGreaterThanOrEqualTo(PART)
                    .isEqualTo(Arrays.copyOf(content, stored.size()));
        }
    }

    /** Each part has an answer that is waited for: what is not packed needs no parts. */
    @Test
    void whatCannotBeMadeSmallerGoesInOneStretch() throws Exception {
        goOn.countDown();
        byte[] content = Heard.content(SIZE);
        http.store(Heard.source(content, 0), url(), context("always"));
        assertThat(stored.toByteArray()).isEqualTo(content);
        assertThat(requests.stream().filter(request -> request.startsWith("PUT")))
                .as("a part that was tried, and the rest")
                .containsExactly("PUT bytes 0-1048575/" + SIZE, "PUT bytes 1048576-" + (SIZE - 1) + "/" + SIZE);
    }

    @Test
    void onePieceIsFetchedWhileTheOneBeforeIsRead() throws Exception {
        file = text();
        try (Source source = http.open(url(), 0, "", context("always"))) {
            await().until(() -> requests.size() == 2);
            assertThat(source.bytes().readNBytes(PART)).isEqualTo(Arrays.copyOf(file, PART));
            assertThat(requests).as("no more than one ahead").hasSize(2);
            assertThat(source.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(file, PART, SIZE));
        }
        assertThat(requests)
                .startsWith("GET bytes=0-1048575", "GET bytes=1048576-2097151")
                .hasSize(5);
        requests.clear();
        try (Source source = http.open(url(), 0, "", context("always"))) {
            assertThat(source.bytes().readNBytes(5)).hasSize(5);
        }
        assertThat(requests).as("closed in its first piece").hasSizeLessThanOrEqualTo(2);
    }

    /** Asked for earlier it would stand still on the way until the piece before it is read. */
    @Test
    void aPieceThatComesAsItIsIsAskedForWhenItIsWanted() throws Exception {
        file = Heard.content(SIZE);
        try (Source source = http.open(url(), 0, "", context("always"))) {
            assertThat(source.bytes().readNBytes(PART)).isEqualTo(Arrays.copyOf(file, PART));
            await().during(Duration.ofMillis(300)).atMost(Duration.ofMinutes(1)).until(() -> requests.size() == 1);
            assertThat(source.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(file, PART, SIZE));
        }
        assertThat(requests).containsExactly("GET bytes=0-1048575", "GET bytes=1048576-" + (SIZE - 1));
    }
}
