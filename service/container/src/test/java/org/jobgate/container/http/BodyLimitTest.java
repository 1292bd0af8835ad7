// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are too large, one by one and all together; their clients are told, and the next request is answered. */
class BodyLimitTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path folder = Path.of("");

    private TrialGate start(String limits) throws IOException {
        PKI.trustIn(folder.resolve("trust"));
        return TrialGate.start(folder, HOST, "limits: { " + limits + " }\n");
    }

    private static HttpResponse<String> post(TrialGate gate, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + gate.ports().getFirst() + TrialGate.WHO))
                .timeout(Duration.ofMinutes(1))
                .header("Content-Type", "text/xml")
                .POST(body)
                .build();
        try (HttpClient client = TrialGate.client(ALICE)) {
            return client.send(request, BodyHandlers.ofString());
        }
    }

    private static String padded(int length) {
        return TrialGate.ASK.replace("<ask/>", "<ask>" + "x".repeat(length) + "</ask>");
    }

    private static void goesOn(TrialGate gate) throws IOException, InterruptedException {
        assertThat(post(gate, BodyPublishers.ofString(TrialGate.ASK)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void oneThatSaysItIsTooLargeIsRefusedUnread() throws Exception {
        try (TrialGate gate = start("maxBodyBytes: 64KiB")) {
            HttpResponse<String> answer = post(gate, BodyPublishers.ofByteArray(new byte[100_000]));
            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).contains("faultstring", "100000 bytes", "limits.maxBodyBytes = 65536");
            goesOn(gate);
        }
    }

    @Test
    void aClientThatSendsAllBeforeItReadsSeesTheRefusal() throws Exception {
        try (TrialGate gate = start("maxBodyBytes: 2MiB");
                Socket socket = connect(gate)) {
            // more than the buffers on the way hold
            sendAll(socket, TrialGate.WHO, new byte[15 * MIB]);
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 413");
        }
    }

    @ParameterizedTest
    @CsvSource({"/nowhere, 404", TrialGate.WHO + ", 500"})
    void aClientThatSendsAllBeforeItReadsSeesTheAnswerOfADoorThatReadNoFurther(String path, int status)
            throws Exception {
        byte[] body = new byte[15 * MIB];
        try (TrialGate gate = start("maxBodyBytes: 16MiB");
                Socket socket = connect(gate)) {
            sendAll(socket, path, body);
            assertThat(statusLine(socket)).isEqualTo("HTTP/1.1 " + status);
        }
    }

    @Test
    void aClientThatWaitsToBeToldToGoOnHasItsAnswerAndSendsNoBody() throws Exception {
        try (TrialGate gate = start("maxBodyBytes: 64KiB");
                Socket socket = connect(gate)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            // nobody serves this path, so that its answer comes before the body
            out.write(head("/nowhere", 1000, "Expect: 100-continue\r\n"));
            out.flush();
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 404");
            // the service closes what it cannot use again, at once
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    private static Socket connect(TrialGate gate) throws IOException {
        return TestPki.client(ALICE)
                .getSocketFactory()
                .createSocket("localhost", gate.ports().getFirst());
    }

    private static void sendAll(Socket socket, String path, byte[] body) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(head(path, body.length, ""));
        for (int sent = 0; sent < body.length; sent += MIB) {
            out.write(body, sent, Math.min(MIB, body.length - sent));
        }
        out.flush();
    }

    private static byte[] head(String path, int length, String more) {
        String text = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: "
                + length + "\r\n" + more + "\r\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String statusLine(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }

    @Test
    void oneThatTurnsOutTooLargeIsRefusedWhileItIsRead() throws Exception {
        try (TrialGate gate = start("maxBodyBytes: 64KiB")) {
            byte[] body = padded(1_000_000).getBytes(StandardCharsets.UTF_8);
            // of unknown length, so it is sent in chunks
            HttpResponse<String> answer =
                    post(gate, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body, 0, 120_000)));
            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).contains("faultstring", "limits.maxBodyBytes = 65536");
            goesOn(gate);
        }
    }

    @Test
    void allTogetherAreBounded() throws Exception {
        try (TrialGate gate = start("maxBodyBytes: 2MiB, maxBodyBytesInFlight: 1MiB")) {
            HttpResponse<String> answer = post(gate, BodyPublishers.ofString(padded(1_500_000)));
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("limits.maxBodyBytesInFlight = 1048576");
            goesOn(gate);
            // counted down when the request is over here, which its client cannot see
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(gate.metrics()).contains("jobgate_http_body_bytes 0.0"));
        }
    }
}
