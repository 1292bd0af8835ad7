// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.config.ClientsConfig;
import org.jobgate.container.config.DataSize;
import org.jobgate.container.tls.RefusalLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadLimitsTest {

    private static final int PATIENCE_MS = 60_000;
    private static final int CONNECTIONS = 1000;

    private final AtomicReference<Double> used = new AtomicReference<>(0.5);
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 1);
    private LoadLimits limits;
    private ClientPace watch;

    @BeforeEach
    void start() throws Exception {
        Handler yes = new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                callback.succeeded();
                return true;
            }
        };
        HeapRoom heap = new HeapRoom(used::get, () -> {}, System::nanoTime);
        RefusalLog refusals = new RefusalLog(System::nanoTime);
        LoadLimits load = new LoadLimits(CONNECTIONS, CONNECTIONS, heap, refusals, yes);
        ClientsConfig patient = new ClientsConfig(
                CONNECTIONS, CONNECTIONS, Duration.ofMinutes(5), new DataSize(0), Duration.ofMinutes(5));
        ClientPace pace = new ClientPace(patient, server.getScheduler(), refusals, System::nanoTime, load);
        connector.setHost("localhost");
        List.of(load, pace, new HeapAdmission(heap, refusals)).forEach(connector::addBean);
        server.addConnector(connector);
        server.setHandler(pace);
        server.start();
        limits = load;
        watch = pace;
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("localhost"), connector.getLocalPort());
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
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

    @Test
    void whoComesWhileTheMemoryIsFullIsClosed() throws Exception {
        used.set(0.95);
        try (Socket socket = connect()) {
            assertThat(socket.getInputStream().read()).isNegative();
        }
        used.set(0.5);
        try (Socket socket = connect()) {
            assertThat(ask(socket)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void nothingIsRememberedOfThoseWhoWereClosed() throws Exception {
        used.set(0.95);
        for (int i = 0; i < 300; i++) {
            try (Socket socket = connect()) {
                assertThat(socket.getInputStream().read()).isNegative();
            }
        }
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(limits.connections()).isZero();
            assertThat(watch.watched()).isZero();
            assertThat(watch.addresses()).isZero();
        });
    }

    @Test
    void whoIsThereAlreadyIsToldSoAndClosed() throws Exception {
        try (Socket socket = connect()) {
            assertThat(ask(socket)).startsWith("HTTP/1.1 200");
            used.set(0.95);
            assertThat(ask(socket)).startsWith("HTTP/1.1 503").contains("Retry-After: 2", "Connection: close");
            socket.getInputStream().readAllBytes();
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }
}
