// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are too slow, or too many from one address. */
class ClientPaceTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final int PATIENCE_MS = 50_000;

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable part : open.reversed()) {
            part.close();
        }
    }

    private int start(String clients) throws IOException {
        PKI.trustIn(folder.resolve("trust"));
        TrialGate gate = TrialGate.start(folder, PKI.issue("CN=localhost,O=Grid"), "clients: { " + clients + " }\n");
        open.add(gate);
        return gate.ports().getFirst();
    }

    private Socket plain(int port) throws IOException {
        Socket socket = new Socket("localhost", port);
        open.add(socket);
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    private SSLSocket tls(int port) throws IOException {
        SSLSocket socket = (SSLSocket) TestPki.client(null).getSocketFactory().createSocket("localhost", port);
        open.add(socket);
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    /** Whether the other side closes, in time. The idle time-out is a minute, so it is not that. */
    private static boolean isClosedByPeer(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // reset: closed, too
            return true;
        }
    }

    @Test
    void aClientThatNeverEndsTheHeadOfARequestIsClosed() throws Exception {
        SSLSocket slow = tls(start("headTimeout: 2s"));
        slow.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\nX: ".getBytes(StandardCharsets.US_ASCII));
        assertThat(isClosedByPeer(slow)).isTrue();
    }

    @Test
    void aClientThatSendsItsBodyByteByByteIsToldSoAndClosed() throws Exception {
        SSLSocket slow = tls(start("minBodyRate: 1KiB, bodyGrace: 1s"));
        slow.getOutputStream()
                .write(("POST " + TrialGate.WHO
                                + " HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 60000\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        long end = System.nanoTime() + Duration.ofMillis(PATIENCE_MS).toNanos();
        Thread writer = Thread.startVirtualThread(() -> {
            try {
                while (System.nanoTime() < end) {
                    slow.getOutputStream().write('x');
                    Thread.sleep(200);
                }
            } catch (IOException closed) {
                // what is waited for
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        long asked = System.nanoTime();
        while (!isClosedByPeer(slow) && System.nanoTime() < end) {
            // the answer that says why comes first, byte by byte
        }
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(40));
        writer.interrupt();
    }

    @Test
    void oneMoreConnectionOfAnAddressIsClosed() throws Exception {
        int port = start("maxPerAddress: 2");
        SSLSocket first = tls(port);
        first.startHandshake();
        tls(port).startHandshake();
        assertThat(isClosedByPeer(plain(port))).isTrue();
        first.getOutputStream().write("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(first.getInputStream().read()).isEqualTo('H');
    }

    @Test
    void aClientThatDoesNotBeginTheHandshakeIsClosed() throws Exception {
        assertThat(isClosedByPeer(plain(start("headTimeout: 2s")))).isTrue();
    }

    @Test
    void oneMoreSilentClientOfAnAddressIsClosed() throws Exception {
        int port = start("maxSilentPerAddress: 2");
        plain(port);
        plain(port);
        assertThat(isClosedByPeer(plain(port))).isTrue();
    }

    @Test
    void everyAnswerTellsBrowsersToBeCareful() throws Exception {
        int port = start("");
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/none"))
                .build();
        try (HttpClient client = TrialGate.client(null)) {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'");
        }
    }

    @Test
    void suitesThatOnlyHideAreNotSpoken() throws Exception {
        SSLSocket old = tls(start(""));
        old.setEnabledProtocols(new String[] {"TLSv1.2"});
        old.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"});
        assertThatThrownBy(old::startHandshake).isInstanceOf(IOException.class);
    }
}
