// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BesClientTest {

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

    private BesClient client() {
        return new BesClient(new HttpsConnection(clientTls, "localhost", server.address(), Duration.ofSeconds(30)));
    }

    private static String answered(String body) {
        return StubServer.ok("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>");
    }

    private static String identifier(String id) {
        return "<b:ActivityIdentifier xmlns:b=\"b\"><ReferenceParameters><Activity>" + id
                + "</Activity></ReferenceParameters></b:ActivityIdentifier>";
    }

    /** The points of a sweep are listed behind it, and are not it. */
    @Test
    void theIdentifierOfASweepIsNoneOfItsPoints() throws Exception {
        answer = request -> answered("<b:CreateActivityResponse xmlns:b=\"b\">" + identifier("one") + "<Sweep>"
                + identifier("one/0") + identifier("one/1") + "</Sweep></b:CreateActivityResponse>");

        try (BesClient client = client()) {
            assertThat(client.create(BesClient.document(2), "k1")).isEqualTo("one");
        }
        assertThat(server.requests.getFirst())
                .contains("POST /bes/BESFactory ", "/BESFactoryPortType/CreateActivity", "end=\"2\"")
                .contains("SubmissionId>k1</");
    }

    @Test
    void statesAreCounted() throws Exception {
        answer = request ->
                answered("<b:R xmlns:b=\"b\"><b:ActivityStatus state=\"Running\"><Queued/></b:ActivityStatus>"
                        + "<b:ActivityStatus state=\"Finished\"/><b:ActivityStatus a=\"b\" state=\"Finished\"/></b:R>");

        try (BesClient client = client()) {
            assertThat(client.states(List.of("a", "b", "c"))).isEqualTo(Map.of("Running", 1L, "Finished", 2L));
        }
        assertThat(server.requests.getFirst()).contains("Activity>a</", "Activity>b</", "Activity>c</");
    }

    @Test
    void pointsAreCountedAsTheSweepTellsThem() throws Exception {
        answer = request ->
                answered("<b:ActivityStatus xmlns:b=\"b\" state=\"Running\"><Points><Count state=\"Pending\">7</Count>"
                        + "<Count state=\"Finished\">3</Count></Points></b:ActivityStatus>");

        try (BesClient client = client()) {
            assertThat(client.points("a")).isEqualTo(Map.of("Pending", 7L, "Finished", 3L));
        }
    }

    @Test
    void aFaultIsARefusal() throws Exception {
        answer = request -> answered("<s:Fault xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                + "<faultcode>s:Server</faultcode><faultstring>it drains</faultstring></s:Fault>");

        try (BesClient client = client()) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.terminate("a"))
                    .withMessageContaining("it drains");
        }
    }
}
