// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArcClientTest {

    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static SSLContext clientTls;

    private volatile Function<String, String> answer = request -> "";
    private StubServer server;

    @BeforeAll
    static void certificates() throws Exception {
        certificates = TestCertificates.create(directory);
        clientTls = Tls.context(certificates.user(), certificates.trustDirectory());
    }

    @BeforeEach
    void start() throws Exception {
        server = new StubServer(
                Tls.context(certificates.host(), certificates.trusted()), request -> answer.apply(request));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private ArcClient client() {
        return new ArcClient(new HttpsConnection(clientTls, "localhost", server.address(), Duration.ofSeconds(30)));
    }

    @Test
    void manyJobsGoInOneDocumentAndOneAnswerMayStandAlone() throws Exception {
        answer = request -> StubServer.ok(
                request.contains("ActivityDescriptions")
                        ? "{\"job\":[{\"status-code\":\"201\",\"id\":\"a\"},{\"status-code\":\"201\",\"id\":\"b\"}]}"
                        : "{\"job\":{\"status-code\":\"201\",\"id\":\"c\"}}");
        String adl = ArcClient.adl(List.of("/bin/echo", "<"), true);

        try (ArcClient client = client()) {
            assertThat(client.create(List.of(adl, adl))).containsExactly("a", "b");
            assertThat(client.create(List.of(adl))).containsExactly("c");
        }
        assertThat(server.requests.getFirst())
                .contains("<Path>/bin/echo</Path><Argument>&lt;</Argument>")
                .contains("<InputFile><Name>brought</Name></InputFile>");
    }

    @Test
    void aJobThatIsRefusedOrNotToldIsARefusal() throws Exception {
        answer = request -> StubServer.ok(
                request.contains("action=new")
                        ? "{\"job\":[{\"status-code\":\"500\",\"reason\":\"no room\"}]}"
                        : "{\"job\":[{\"status-code\":\"200\",\"id\":\"a\",\"state\":\"FINISHED\"}]}");

        try (ArcClient client = client()) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.create(List.of(ArcClient.adl(List.of("/bin/true"), false))))
                    .withMessageContaining("no room");
            assertThat(client.states(List.of("a"))).containsEntry("a", "FINISHED");
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.states(List.of("a", "b")))
                    .withMessageContaining("1 of 2 jobs");
        }
    }
}
