// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class CreamClientTest extends WireRoom {

    private CreamClient client() {
        return new CreamClient(connection());
    }

    @Test
    void theJobsOfARegistrationAreCountedAndARefusalIsTold() throws Exception {
        serve(request -> soap("<t:JobRegisterResponse xmlns:t=\"t\"><t:result><t:jobId><t:id>CREAM1</t:id>"
                + "</t:jobId></t:result><t:result><t:DelegationProxyFault><t:Description>expired</t:Description>"
                + "<t:FaultCause>yesterday</t:FaultCause></t:DelegationProxyFault></t:result>"
                + "</t:JobRegisterResponse>"));

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
        serve(request -> soap("<s:Fault xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                + "<faultcode>s:Server</faultcode><faultstring>it drains</faultstring></s:Fault>"));

        try (CreamClient client = client()) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.register(List.of("[ ]"), "d1"))
                    .withMessageContaining("it drains");
        }
    }
}
