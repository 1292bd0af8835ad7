// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
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
            Load.Result result = load.create(Pace.closedLoop(Duration.ofMinutes(5), 6));

            assertThat(result.accepted()).isZero();
            assertThat(result.failed()).isEqualTo(6);
            assertThat(result.firstFailure()).contains("Connection refused");
            assertThat(result.latencies().count()).isZero();
        }
    }

    private static GramClient toNowhere() throws Exception {
        // none that the system gives to whoever asks for any one: another program could have that by then
        InetSocketAddress closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return new GramClient(
                new HttpsConnection(SSLContext.getDefault(), "localhost", closed, Duration.ofMinutes(2)),
                new GramMessages("https://localhost", "Fork", UUID::randomUUID));
    }
}
