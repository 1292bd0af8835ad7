// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.jobgate.container.tls.RefusalLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TurnConnectorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofHours(1);
    private static final String CROWD = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server = new Server();
    private final TurnGate gate = new TurnGate(
            new Turns(4, true, LEASE, System::nanoTime),
            new Turns(1, false, LEASE, System::nanoTime),
            4,
            (session, chain) -> {
                throw new CertificateException("there is no TLS");
            },
            threads,
            server.getScheduler());
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final SurplusConnections room = new SurplusConnections(
            () -> isFull.get() ? 1000 : 0,
            1000,
            server.getScheduler(),
            new RefusalLog(System::nanoTime),
            Duration.ofHours(1),
            Duration.ofMillis(200));
    private final TurnConnector connector = new TurnConnector(server, gate, room, new HttpConnectionFactory());
    private final List<String> opened = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        connector.setHost("0.0.0.0");
        connector.addBean(new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
                opened.add(((InetSocketAddress) connection.getEndPoint().getRemoteSocketAddress())
                        .getAddress()
                        .getHostAddress());
            }
        });
        server.addConnector(connector);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop();
        threads.close();
    }

    private Socket from(String address) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort()));
        return socket;
    }

    /** The one place is taken until it is given back. */
    private Turns.Turn takeThePlace() throws Exception {
        CompletableFuture<Turns.Turn> taken = new CompletableFuture<>();
        gate.makeReady("address of nobody", taken::complete);
        return requireNonNull(taken.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aConnectionOfAnotherAddressIsMadeReadyBeforeTheRestOfACrowd() throws Exception {
        Turns.Turn place = takeThePlace();
        for (int i = 0; i < 6; i++) {
            from(CROWD);
        }
        await().atMost(PATIENCE).until(() -> gate.waitingHandshakes() == 6);
        from(OTHER);
        await().atMost(PATIENCE).until(() -> gate.waitingHandshakes() == 7);
        assertThat(opened).isEmpty();

        place.end();

        await().atMost(PATIENCE).until(() -> opened.size() == 7);
        assertThat(opened).startsWith(CROWD, OTHER, CROWD);
        await().atMost(PATIENCE).until(() -> gate.waitingHandshakes() == 0);
    }

    @Test
    void whoHasGoneMeanwhileHoldsUpNobody() throws Exception {
        Turns.Turn place = takeThePlace();
        for (int i = 0; i < 6; i++) {
            from(CROWD).close();
        }
        await().atMost(PATIENCE).until(() -> gate.waitingHandshakes() == 6);
        place.end();
        from(OTHER);
        await().atMost(PATIENCE).until(() -> opened.contains(OTHER));
        await().atMost(PATIENCE).until(() -> connector.getConnectedEndPoints().size() == 1);
    }

    @Test
    void aStopClosesThoseThatWait() throws Exception {
        var unused = takeThePlace();
        Socket waits = from(CROWD);
        await().atMost(PATIENCE).until(() -> gate.waitingHandshakes() == 1);

        server.stop();

        assertThat(waits.getInputStream().read()).isNegative();
        assertThat(opened).isEmpty();
    }

    /** A handshake for each of them would take the processors from those that are connected. */
    @Test
    void aboveTheLimitAllButAFewAreClosedBeforeTheirHandshake() throws IOException {
        isFull.set(true);
        for (int i = 0; i < 5; i++) {
            from(CROWD);
        }
        for (Socket socket : sockets.subList(1, 5)) {
            assertThat(socket.getInputStream().read()).isNegative();
        }
        assertThat(opened).containsExactly(CROWD);
        isFull.set(false);
    }
}
