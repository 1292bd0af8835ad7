// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArcClientTest extends WireRoom {

    private ArcClient client() {
        return new ArcClient(connection());
    }

    @Test
    void manyJobsGoInOneDocumentAndOneAnswerMayStandAlone() throws Exception {
        serve(request -> StubServer.ok(
                request.contains("ActivityDescriptions")
                        ? "{\"job\":[{\"status-code\":\"201\",\"id\":\"a\"},{\"status-code\":\"201\",\"id\":\"b\"}]}"
                        : "{\"job\":{\"status-code\":\"201\",\"id\":\"c\"}}"));
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
        serve(request -> StubServer.ok(
                request.contains("action=new")
                        ? "{\"job\":[{\"status-code\":\"500\",\"reason\":\"no room\"}]}"
                        : "{\"job\":[{\"status-code\":\"200\",\"id\":\"a\",\"state\":\"FINISHED\"}]}"));

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
