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

class CreamClientTest {

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

    private CreamClient client() {
        return new CreamClient(new HttpsConnection(clientTls, "localhost", server.address(), Duration.ofSeconds(30)));
    }

    private static String answered(String body) {
        return StubServer.ok("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>");
    }

    @Test
    void theJobsOfARegistrationAreCountedAndARefusalIsTold() throws Exception {
        answer = request -> answered("<t:JobRegisterResponse xmlns:t=\"t\"><t:result><t:jobId><t:id>CREAM1</t:id>"
                + "</t:jobId></t:result><t:result><t:DelegationProxyFault><t:Description>expired</t:Description>"
                + "<t:FaultCause>yesterday</t:FaultCause></t:DelegationProxyFault></t:result>"
                + "</t:JobRegisterResponse>");

        try (CreamClient client = client()) {
            CreamClient.Registered registered = client.register(List.of("[ a = \"<\"; ]", "[ ]"), "d1");

            assertThat(registered.taken()).isEqualTo(1);
            assertThat(registered.refusal()).isEqualTo("DelegationProxyFault: expired yesterday");
        }
        assertThat(server.requests.getFirst())
                .contains("POST /ce-cream/services/CREAM2 ", "SOAPAction: \"" + CreamClient.REGISTER_ACTION)
                .contains("<JDL>[ a = \"&lt;\"; ]</JDL><delegationId>d1</delegationId><autoStart>true</autoStart>");
    }

    @Test
    void aFaultOfTheWholeRequestIsARefusal() throws Exception {
        answer = request -> answered("<s:Fault xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                + "<faultcode>s:Server</faultcode><faultstring>it drains</faultstring></s:Fault>");

        try (CreamClient client = client()) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.register(List.of("[ ]"), "d1"))
                    .withMessageContaining("it drains");
        }
    }
}
