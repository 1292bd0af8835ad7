// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections without TLS; the requests of each say whose they are. */
class TurnGateTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Nobody loses a place in these tests. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final int PLACES = 4;
    private static final int MOST_BEGUN = 12;

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final AtomicInteger busy = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server = new Server();
    private final TurnGate gate = new TurnGate(
            new Turns(PLACES, true, LEASE, System::nanoTime),
            new Turns(1, false, LEASE, System::nanoTime),
            MOST_BEGUN,
            (session, chain) -> {
                throw new CertificateException("there is no TLS");
            },
            threads,
            server.getScheduler());
    private final SurplusConnections room =
            new SurplusConnections(() -> 0, 1000, server.getScheduler(), new RefusalLog(System::nanoTime));
    private final ServerConnector connector = new TurnConnector(server, gate, room, new HttpConnectionFactory());
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        Handler work = new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                if (Request.getPathInContext(request).equals("/busy")) {
                    busy.incrementAndGet();
                    mayAnswer.await();
                    busy.decrementAndGet();
                }
                callback.succeeded();
                return true;
            }
        };
        server.setHandler(new Handler.Wrapper(new TurnHandler(gate, work)) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                String who = request.getHeaders().get("Who");
                request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity("/O=Grid/CN=" + who, "test", false));
                return super.handle(request, response, callback);
            }
        });
        connector.setHost("localhost");
        server.addConnector(connector);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        mayAnswer.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop();
        threads.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        socket.connect(new InetSocketAddress(InetAddress.getByName("localhost"), connector.getLocalPort()));
        return socket;
    }

    private static void send(Socket socket, String path, String who) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nWho: " + who + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /** Each connection has been asked for something before, so that it is known whose it is. */
    private List<Socket> known(int number, String who) throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Socket socket = connect();
            send(socket, "/", who);
            assertThat(head(socket)).startsWith("HTTP/1.1 200");
            all.add(socket);
        }
        return all;
    }

    @Test
    void aCrowdOfOneOwnerLeavesPlacesToOthersAndIsAnsweredItself() throws Exception {
        List<Socket> crowd = known(10, "crowd");
        for (Socket socket : crowd) {
            send(socket, "/busy", "crowd");
        }
        await().atMost(PATIENCE).until(() -> gate.waitingRequests() == 8);
        assertThat(busy).hasValue(PLACES / 2);

        Socket other = connect();
        for (int i = 0; i < 3; i++) {
            send(other, "/", "other");
            assertThat(head(other)).startsWith("HTTP/1.1 200");
        }
        assertThat(busy).hasValue(PLACES / 2);

        mayAnswer.countDown();
        for (Socket socket : crowd) {
            assertThat(head(socket)).startsWith("HTTP/1.1 200");
        }
        assertThat(gate.waitingRequests()).isZero();
    }

    @Test
    void whoGoesAwayWhileHeWaitsLeavesNothing() throws Exception {
        List<Socket> crowd = known(6, "crowd");
        for (Socket socket : crowd) {
            send(socket, "/busy", "crowd");
        }
        await().atMost(PATIENCE).until(() -> gate.waitingRequests() == 4);
        for (Socket socket : crowd) {
            socket.close();
        }
        mayAnswer.countDown();
        await().atMost(PATIENCE).until(() -> gate.waitingRequests() == 0 && busy.get() == 0);
    }

    @Test
    void aFurtherRequestThatCameWithTheOneBeforeWaitsForItsTurnToo() throws Exception {
        List<Socket> crowd = known(PLACES / 2, "crowd");
        for (Socket socket : crowd) {
            send(socket, "/busy", "crowd");
        }
        await().atMost(PATIENCE).until(() -> busy.get() == PLACES / 2);
        Socket first = connect();
        send(first, "/", "crowd");
        await().atMost(PATIENCE).until(() -> gate.waitingRequests() == 1);
        mayAnswer.countDown();
        assertThat(head(first)).startsWith("HTTP/1.1 200");
    }

    @Test
    void tooManyThatHaveBeenReadAreRefusedByTheNameOfTheLimit() throws Exception {
        for (int i = 0; i < PLACES / 2 + MOST_BEGUN; i++) {
            send(connect(), "/busy", "crowd");
        }
        await().atMost(PATIENCE).until(() -> gate.waitingRequests() == MOST_BEGUN);
        Socket one = connect();
        send(one, "/", "crowd");
        String refused = head(one);
        assertThat(refused).startsWith("HTTP/1.1 503").contains("Retry-After: 2");
        assertThat(new String(one.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("limits.maxWorking = " + PLACES, MOST_BEGUN + " requests of yours");
        Socket other = connect();
        send(other, "/", "other");
        assertThat(head(other)).startsWith("HTTP/1.1 200");
    }

    @Test
    void thereAreFewPlacesForEachProcessorUnlessTheConfigurationSaysHowMany() {
        assertThat(List.of(
                        TurnGate.places(0, 1), TurnGate.places(0, 10), TurnGate.places(0, 128), TurnGate.places(5, 4)))
                .containsExactly(8, 40, 48, 5);
        assertThat(List.of(
                        TurnGate.handshakes(0, 1),
                        TurnGate.handshakes(0, 8),
                        TurnGate.handshakes(0, 128),
                        TurnGate.handshakes(5, 8)))
                .containsExactly(1, 4, 8, 5);
    }
}
