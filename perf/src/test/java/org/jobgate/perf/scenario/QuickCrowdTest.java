// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.wire.QuickConnection;
import org.jobgate.perf.wire.StubServer;
import org.jobgate.perf.wire.TestCertificates;
import org.jobgate.perf.wire.Tls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickCrowdTest {

    @TempDir
    static Path directory;

    private static SSLContext serverTls;
    private static SSLContext clientTls;

    private final AtomicInteger asked = new AtomicInteger();

    @BeforeAll
    static void certificates() throws Exception {
        TestCertificates certificates = TestCertificates.create(directory);
        serverTls = Tls.context(certificates.host(), certificates.trustDirectory());
        clientTls = Tls.context(certificates.user(), certificates.trustDirectory());
    }

    private QuickCrowd crowd(StubServer server, String host, int clients, String request) {
        return new QuickCrowd(
                IntStream.range(0, clients)
                        .mapToObj(i -> new QuickConnection(
                                clientTls, host, server.address(), Duration.ofMinutes(2), Clients.address(i)))
                        .map(connection ->
                                new QuickCrowd.Client(connection, () -> request.getBytes(StandardCharsets.US_ASCII)))
                        .toList(),
                200);
    }

    private static Pace requests(int most) {
        return Pace.closedLoop(Duration.ofMinutes(5), most);
    }

    @Test
    void eachClientAsksOnOneConnectionOfItsOwnAddressUntilThePaceIsOver() throws Exception {
        String longReply = StubServer.ok("x".repeat(100_000));
        String request = "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
        try (StubServer server = new StubServer(serverTls, text -> longReply);
                QuickCrowd crowd = crowd(server, "localhost", 3, request)) {
            assertThat(crowd.connect().counts()).isEmpty();

            Crowd.Outcome outcome = crowd.loop(requests(30));

            assertThat(outcome.refused().counts()).isEmpty();
            assertThat(outcome.latencies().count()).isEqualTo(30);
            assertThat(outcome.perSecond()).isPositive();
            assertThat(server.requests).hasSize(30).containsOnly(request);
            assertThat(server.addresses).containsExactlyInAnyOrder("127.0.1.1", "127.0.1.2", "127.0.1.3");
            assertThat(server.peers).containsOnly("CN=Alice Tester");
        }
    }

    @Test
    void aRefusalIsCountedAndIsNoAnswer() throws Exception {
        Function<String, String> everySecond = request -> asked.incrementAndGet() % 2 == 0
                ? StubServer.ok("")
                : StubServer.ok("").replace("200 OK", "429 Busy");
        try (StubServer server = new StubServer(serverTls, everySecond);
                QuickCrowd crowd = crowd(server, "localhost", 1, "GET / HTTP/1.1\r\n\r\n")) {
            Crowd.Outcome outcome = crowd.loop(requests(10));

            assertThat(outcome.latencies().count()).isEqualTo(5);
            assertThat(outcome.refused().counts()).containsExactly(Map.entry("HTTP status 429: in place of N", 5L));
        }
    }

    @Test
    void whoseConnectionEndsConnectsAnewAndGoesOn() throws Exception {
        Function<String, String> thirdCut = request -> asked.incrementAndGet() == 3 ? "" : StubServer.ok("fine");
        try (StubServer server = new StubServer(serverTls, thirdCut);
                QuickCrowd crowd = crowd(server, "localhost", 1, "GET / HTTP/1.1\r\n\r\n")) {
            Crowd.Outcome outcome = crowd.loop(requests(10));

            assertThat(outcome.latencies().count()).isEqualTo(9);
            assertThat(outcome.refused().total()).isEqualTo(1);
            assertThat(server.addresses).hasSize(2);
        }
    }

    @Test
    void aServerOfAnotherNameIsNotTalkedTo() throws Exception {
        try (StubServer server = new StubServer(serverTls, request -> StubServer.ok(""));
                QuickCrowd crowd =
                        crowd(server, InetAddress.getLoopbackAddress().getHostAddress(), 2, "")) {
            assertThat(crowd.connect().total()).isEqualTo(2);

            Crowd.Outcome outcome = crowd.loop(requests(10));

            assertThat(outcome.latencies().count()).isZero();
            assertThat(server.requests).isEqualTo(List.of());
        }
    }
}
