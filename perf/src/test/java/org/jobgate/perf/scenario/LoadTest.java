// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.GramMessages;
import org.jobgate.perf.wire.HttpsConnection;
import org.junit.jupiter.api.Test;

class LoadTest {

    @Test
    void requestsThatFailAreCountedAndTheFirstIsQuoted() throws Exception {
        try (Load load = new Load(List.of(toNowhere(), toNowhere()), false, Instant.EPOCH)) {
            Load.Result result = load.create(Pace.closedLoop(Duration.ofSeconds(10), 6));

            assertThat(result.accepted()).isZero();
            assertThat(result.failed()).isEqualTo(6);
            assertThat(result.firstFailure()).contains("Connection refused");
            assertThat(result.latencies().count()).isZero();
        }
    }

    private static GramClient toNowhere() throws Exception {
        InetSocketAddress closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        } catch (IOException e) {
            throw new IllegalStateException("no port on the loopback interface", e);
        }
        return new GramClient(
                new HttpsConnection(SSLContext.getDefault(), "localhost", closed, Duration.ofSeconds(5)),
                new GramMessages("https://localhost", "Fork", UUID::randomUUID));
    }
}
