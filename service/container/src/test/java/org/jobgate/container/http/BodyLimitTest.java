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
                .timeout(Duration.ofSeconds(30))
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
        int length = 15 * MIB; // more than the buffers on the way hold
        try (TrialGate gate = start("maxBodyBytes: 2MiB");
                Socket socket = TestPki.client(ALICE)
                        .getSocketFactory()
                        .createSocket("localhost", gate.ports().getFirst())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + TrialGate.WHO
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: " + length
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] block = new byte[MIB];
            for (int sent = 0; sent < length; sent += block.length) {
                out.write(block);
            }
            out.flush();
            byte[] answer = socket.getInputStream().readNBytes(12);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
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
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(gate.metrics()).contains("jobgate_http_body_bytes 0.0"));
        }
    }
}
