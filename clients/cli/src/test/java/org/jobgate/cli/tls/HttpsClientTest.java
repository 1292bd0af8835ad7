// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kept connection that the server closes: what was sent on it may have been worked on. */
class HttpsClientTest {

    /** What the server does about the next request. */
    private enum Turn {
        ANSWERS,
        /** It answers and closes. */
        ANSWERS_LAST,
        /** It reads the request and closes. */
        CLOSES,
        /** It reads the request, closes, and is not there any more. */
        DIES
    }

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    private final BlockingQueue<Turn> turns = new LinkedBlockingQueue<>();
    private final List<String> got = new CopyOnWriteArrayList<>();
    private SSLServerSocket server;
    private HttpsClient client;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void start() throws Exception {
        server = (SSLServerSocket) certificates
                .serverContext()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
        client = new HttpsClient(
                Identification.of(Credential.read(certificates.proxy(), certificates.proxy(), () -> new char[0])),
                TrustDirectory.find(Map.of("X509_CERT_DIR", certificates.trust().toString()), shared),
                new ServerName.Host(),
                Duration.ofSeconds(10));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private void serve() {
        while (!server.isClosed()) {
            try (SSLSocket socket = (SSLSocket) server.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                while (serveOne(socket, in)) {
                    // as long as it keeps the connection
                }
            } catch (IOException e) {
                got.add("broken: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean serveOne(SSLSocket socket, BufferedReader in) throws IOException, InterruptedException {
        String first = in.readLine();
        if (first == null) {
            return false;
        }
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            // headers; the requests here have no body
        }
        got.add(first);
        Turn turn = turns.take();
        if (turn == Turn.DIES) {
            server.close();
        }
        if (turn == Turn.CLOSES || turn == Turn.DIES) {
            return false;
        }
        socket.getOutputStream()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return turn == Turn.ANSWERS;
    }

    private HttpReply ask(String path, boolean mayComeTwice) throws IOException {
        return client.exchange(
                "https://localhost:" + server.getLocalPort() + path,
                new HttpRequest("POST", "Content-Length: 0\r\n", new byte[0], mayComeTwice));
    }

    @Test
    void aRequestThatMayComeTwiceIsSentOnceMore() throws IOException {
        turns.addAll(List.of(Turn.ANSWERS, Turn.CLOSES, Turn.ANSWERS));

        assertThat(ask("/one", true).isToSecondSending()).isFalse();
        assertThat(ask("/two", true).isToSecondSending()).isTrue();

        assertThat(got).containsExactly("POST /one HTTP/1.1", "POST /two HTTP/1.1", "POST /two HTTP/1.1");
    }

    @Test
    void aRequestThatMayNotComeTwiceIsSentOnce() throws IOException {
        turns.addAll(List.of(Turn.ANSWERS, Turn.CLOSES, Turn.ANSWERS));
        assertThat(ask("/one", false).status()).isEqualTo(200);

        assertThatThrownBy(() -> ask("/two", false))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(UnreachableException.class)
                .hasMessageContaining("closed the connection before it answered");

        assertThat(got).containsExactly("POST /one HTTP/1.1", "POST /two HTTP/1.1");
    }

    /** That the second sending did not arrive tells nothing of the first. */
    @Test
    void aServerThatDiesWhileItWorksIsNotToldAsOneThatGotNothing() throws IOException {
        turns.addAll(List.of(Turn.ANSWERS, Turn.DIES));
        assertThat(ask("/one", true).status()).isEqualTo(200);

        assertThatThrownBy(() -> ask("/two", true))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(UnreachableException.class)
                .hasMessageContaining("closed the connection before it answered")
                .hasMessageContaining("Cannot connect");
    }

    /** A server may close what nobody uses: nothing was sent, so nothing is unclear. */
    @Test
    void aConnectionThatWasClosedWhileNobodyUsedItIsNotUsed() throws Exception {
        turns.addAll(List.of(Turn.ANSWERS_LAST, Turn.ANSWERS_LAST, Turn.ANSWERS));

        for (String path : List.of("/one", "/two", "/three")) {
            assertThat(ask(path, false).status()).isEqualTo(200);
            // only one that was unused for a moment is looked at
            Thread.sleep(300);
        }

        assertThat(got).containsExactly("POST /one HTTP/1.1", "POST /two HTTP/1.1", "POST /three HTTP/1.1");
    }
}
