// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Web servers that point elsewhere, as the fronts of storage systems do, and tokens on the way. */
class RedirectsTest {

    private static final byte[] CONTENT = "the file".getBytes(StandardCharsets.UTF_8);

    private FileServer files;
    private FrontServer front;
    private HttpsProtocol https;
    private final AtomicInteger offersGivenUp = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        files = new FileServer();
        front = new FrontServer(files.serverSide());
        https = protocol(true);
    }

    @AfterEach
    void stop() throws Exception {
        https.close();
        front.close();
        files.close();
    }

    private HttpsProtocol protocol(boolean allowPrivate) {
        return new HttpsProtocol(
                credential -> files.clientSide(),
                Duration.ofSeconds(20),
                new UrlPolicy(allowPrivate),
                PackingSettings.DEFAULTS);
    }

    private static TransferContext context() {
        Progress nobody = new Progress() {
            @Override
            public void moved(long bytes) {}

            @Override
            public boolean isMarkDue() {
                return false;
            }

            @Override
            public void mark(String marker) {}
        };
        TransferToken token =
                new TransferToken("t", "abc.def.ghi", Instant.now().plusSeconds(60));
        return new TransferContext("id", "alice", token, Map.of(), false, Duration.ofSeconds(20), null, nobody);
    }

    private byte[] fetch(URI url) throws Exception {
        try (Source source = https.open(url, 0, "", context())) {
            return source.bytes().readAllBytes();
        }
    }

    private void send(URI url) throws Exception {
        InputStream bytes = new ByteArrayInputStream(CONTENT);
        https.store(new Source(0, CONTENT.length, "", bytes), url, context());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aFileIsFetchedFromWhereTheFrontPoints(int status) throws Exception {
        front.status = status;
        front.places.put("/x", files.url("/pool/x").toString());
        files.files.put("/pool/x", CONTENT);

        assertThat(fetch(front.url("/x"))).isEqualTo(CONTENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void aFileIsSentToWhereTheFrontPoints(int status) throws Exception {
        front.status = status;
        front.places.put("/x", files.url("/pool/x").toString());

        send(front.url("/x"));

        assertThat(files.files.get("/pool/x")).isEqualTo(CONTENT);
        assertThat(https.delete(front.url("/x"), context())).isTrue();
        assertThat(files.files).isEmpty();
    }

    @Test
    void theTokenGoesToTheNamedServerOnly() throws Exception {
        front.places.put("/x", files.url("/pool/x").toString());
        files.files.put("/pool/x", CONTENT);

        fetch(front.url("/x"));
        fetch(files.url("/pool/x"));

        assertThat(front.authorizations).containsExactly("Bearer abc.def.ghi");
        assertThat(files.authorizations).containsExactly("none", "Bearer abc.def.ghi");
    }

    @Test
    void thePasswordGoesToTheNamedServerOnly() throws Exception {
        front.places.put("/x", files.url("/pool/x").toString());
        files.files.put("/pool/x", CONTENT);
        TransferPassword password = new TransferPassword("job/1", "jürgen", "a:b");
        TransferContext with = new TransferContext(
                "id",
                "alice",
                password,
                Map.of(),
                false,
                Duration.ofSeconds(20),
                null,
                context().progress());

        try (Source source = https.open(front.url("/x"), 0, "", with)) {
            assertThat(source.bytes().readAllBytes()).isEqualTo(CONTENT);
        }

        assertThat(https.takesPassword()).isTrue();
        assertThat(front.authorizations)
                .containsExactly(
                        "Basic " + Base64.getEncoder().encodeToString("jürgen:a:b".getBytes(StandardCharsets.UTF_8)));
        assertThat(files.authorizations).containsExactly("none");
        assertThat(with.toString()).doesNotContain("a:b");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost/x?authz=secret, no https URL",
        "https://u:secret@localhost/x, no https URL",
        "file:///etc/passwd, no https URL",
        "https://[secret, what is no URL",
        ", nowhere",
    })
    void whatIsNoPlaceIsNotGoneTo(String place, String reason) {
        if (place != null) {
            front.places.put("/x", place);
        }
        assertThatThrownBy(() -> fetch(front.url("/x")))
                .hasMessageContaining(reason)
                .hasMessageNotContaining("authz")
                .asInstanceOf(type(TransferException.class))
                .extracting(TransferException::kind)
                .isEqualTo(TransferException.Kind.PERMANENT);
    }

    /** What stands in the Location of real fronts, bytes as they are; and what must be asked for then. */
    @ParameterizedTest
    @CsvSource({
        "/pool/a b, /pool/a%20b",
        "/pool/a|b, /pool/a%7Cb",
        "/pool/a%20b|c, /pool/a%20b%7Cc",
        "/pool/ä€, /pool/%C3%A4%E2%82%AC",
        "/pool/<\"^`{}>, /pool/%3C%22%5E%60%7B%7D%3E",
        "/pool/100%, /pool/100%25",
        "/pool/a[1], /pool/a%5B1%5D",
        "/pool/a\\b, /pool/a%5Cb",
        "/pool/x?sig=a+b/c==|ä, /pool/x?sig=a+b/c==%7C%C3%A4",
    })
    void whatAFrontDoesNotEncodeIsEncoded(String place, String asked) throws Exception {
        assertThat(pointed(place.getBytes(StandardCharsets.UTF_8))).isEqualTo(asked);
    }

    @Test
    void bytesThatAreNoTextArePassedOnAsTheyAre() throws Exception {
        assertThat(pointed("/pool/caf\u00e9".getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo("/pool/caf%E9");
    }

    /** What is asked for by a client that a server points to a place on itself. */
    private String pointed(byte[] place) throws Exception {
        AtomicReference<String> asked = new AtomicReference<>("");
        try (SSLServerSocket raw = (SSLServerSocket) files.serverSide()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> {
                String first = answered(raw, place);
                asked.set(first + " " + answered(raw, null));
            });
            assertThat(fetch(URI.create("https://localhost:" + raw.getLocalPort() + "/x")))
                    .isEqualTo(CONTENT);
            server.join();
        }
        String both = String.valueOf(asked.get());
        assertThat(both).startsWith("/x ");
        return both.substring("/x ".length());
    }

    /** Answers one request, by a pointer or with the file; gives what was asked for. */
    private static String answered(SSLServerSocket server, byte @Nullable [] place) {
        try (SSLSocket socket = (SSLSocket) server.accept()) {
            StringBuilder head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                int c = socket.getInputStream().read();
                if (c < 0) {
                    throw new EOFException("the head ends early");
                }
                head.append((char) c);
            }
            OutputStream out = socket.getOutputStream();
            String end = "Connection: close\r\n\r\n";
            if (place == null) {
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + CONTENT.length + "\r\n" + end)
                        .getBytes(StandardCharsets.ISO_8859_1));
                out.write(CONTENT);
            } else {
                out.write(
                        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ".getBytes(StandardCharsets.ISO_8859_1));
                out.write(place);
                out.write(("\r\n" + end).getBytes(StandardCharsets.ISO_8859_1));
            }
            out.flush();
            return head.substring(head.indexOf(" ") + 1, head.indexOf(" HTTP/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aRoundTripEnds() {
        front.places.put("/x", "/y");
        front.places.put("/y", "/x?z=1");

        assertThatThrownBy(() -> fetch(front.url("/x"))).hasMessageContaining("more than 5 times");
        assertThat(front.authorizations).hasSize(5);
    }

    @Test
    void hostsThatTheSiteForbidsAreNotGoneTo() {
        try (HttpsProtocol strict = protocol(false)) {
            assertThatThrownBy(
                            () -> strict.open(front.url("/x"), 0, "", context()).close())
                    .hasMessageContaining("staging.allowLoopbackAddresses");
        }
        assertThat(front.authorizations).isEmpty();
    }

    @Test
    void theGatewayItselfAndMetadataServicesAreNeverGoneTo() {
        OwnPorts own = new OwnPorts();
        own.add(files.url("/").getPort());
        UrlPolicy all = new UrlPolicy(new Destinations(own, "staging", true, true));
        front.places.put("/self", files.url("/metrics").toString());
        front.places.put(
                "/mapped", "https://[::ffff:127.0.0.1]:" + files.url("/").getPort() + "/metrics");
        front.places.put("/cloud", "https://169.254.169.254/latest/meta-data");
        try (HttpsProtocol https = new HttpsProtocol(
                credential -> files.clientSide(), Duration.ofSeconds(20), all, PackingSettings.DEFAULTS)) {
            for (String path : List.of("/self", "/mapped", "/cloud")) {
                assertThatThrownBy(() ->
                                https.open(front.url(path), 0, "", context()).close())
                        .as(path)
                        .hasMessageContaining("never connects to")
                        .asInstanceOf(type(TransferException.class))
                        .extracting(TransferException::kind)
                        .isEqualTo(TransferException.Kind.PERMANENT);
            }
            assertThatThrownBy(() ->
                            https.open(files.url("/metrics"), 0, "", context()).close())
                    .hasMessageContaining("this gateway itself");
        }
        assertThat(files.authorizations).isEmpty();
        assertThat(front.authorizations).hasSize(3);
    }

    @Test
    void aServerThatTakesTheFileAndThenPointsElsewhereIsNamed() {
        front.takesFilesFirst = true;
        front.places.put("/x", files.url("/pool/x").toString());

        assertThatThrownBy(() -> send(front.url("/x"))).hasMessageContaining("took the file, and then pointed to");
        assertThat(files.files).isEmpty();
    }

    /** RFC 9110 section 10.1.1: a client must not wait for ever. */
    @Test
    void aServerThatKnowsNoOfferGetsTheFile() throws Exception {
        try (SSLServerSocket old = (SSLServerSocket) files.serverSide()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> serveAsOfOld(old));
            URI url = URI.create("https://localhost:" + old.getLocalPort() + "/x");

            send(url);
            send(url);

            server.join();
            // the second time it was not asked
            assertThat(offersGivenUp).hasValue(1);
        }
    }

    /** Of an offer it says nothing; what comes whole it takes. */
    private void serveAsOfOld(SSLServerSocket old) {
        for (int taken = 0; taken < 2; ) {
            try (SSLSocket socket = (SSLSocket) old.accept()) {
                StringBuilder head = new StringBuilder();
                while (!head.toString().endsWith("\r\n\r\n")) {
                    int c = socket.getInputStream().read();
                    if (c < 0) {
                        throw new EOFException("the head ends early");
                    }
                    head.append((char) c);
                }
                if (socket.getInputStream().readNBytes(CONTENT.length).length == CONTENT.length) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.ISO_8859_1));
                    taken++;
                } else {
                    offersGivenUp.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
