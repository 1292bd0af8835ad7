// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BesClientTest extends WireRoom {

    private BesClient client() {
        return new BesClient(connection());
    }

    private static String identifier(String id) {
        return "<b:ActivityIdentifier xmlns:b=\"b\"><ReferenceParameters><Activity>" + id
                + "</Activity></ReferenceParameters></b:ActivityIdentifier>";
    }

    /** The points of a sweep are listed behind it, and are not it. */
    @Test
    void theIdentifierOfASweepIsNoneOfItsPoints() throws Exception {
        serve(request -> soap("<b:CreateActivityResponse xmlns:b=\"b\">" + identifier("one") + "<Sweep>"
                + identifier("one/0") + identifier("one/1") + "</Sweep></b:CreateActivityResponse>"));

        try (BesClient client = client()) {
            assertThat(client.create(BesClient.document(2), "k1")).isEqualTo("one");
        }
        assertThat(server.requests.getFirst())
                .contains("POST /bes/BESFactory ", "/BESFactoryPortType/CreateActivity", "end=\"2\"")
                .contains("SubmissionId>k1</");
    }

    @Test
    void statesAreCounted() throws Exception {
        serve(request -> soap("<b:R xmlns:b=\"b\"><b:ActivityStatus state=\"Running\"><Queued/></b:ActivityStatus>"
                + "<b:ActivityStatus state=\"Finished\"/><b:ActivityStatus a=\"b\" state=\"Finished\"/></b:R>"));

        try (BesClient client = client()) {
            assertThat(client.states(List.of("a", "b", "c"))).isEqualTo(Map.of("Running", 1L, "Finished", 2L));
        }
        assertThat(server.requests.getFirst()).contains("Activity>a</", "Activity>b</", "Activity>c</");
    }

    @Test
    void pointsAreCountedAsTheSweepTellsThem() throws Exception {
        serve(request ->
                soap("<b:ActivityStatus xmlns:b=\"b\" state=\"Running\"><Points><Count state=\"Pending\">7</Count>"
                        + "<Count state=\"Finished\">3</Count></Points></b:ActivityStatus>"));

        try (BesClient client = client()) {
            assertThat(client.points("a")).isEqualTo(Map.of("Pending", 7L, "Finished", 3L));
        }
    }

    @Test
    void aFaultIsARefusal() throws Exception {
        serve(request -> soap("<s:Fault xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                + "<faultcode>s:Server</faultcode><faultstring>it drains</faultstring></s:Fault>"));

        try (BesClient client = client()) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.terminate("a"))
                    .withMessageContaining("it drains");
        }
    }
}
