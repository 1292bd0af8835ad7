// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LrmTroublesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String STUCK =
            "3 worker processes of the account alice are still there. An administrator ends them with: kill -9 41 42 43";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    private boolean printed(Path socket) throws AdminException {
        return new LrmTroubles(new AdminClient(socket, PATIENCE)).print(new PrintWriter(out));
    }

    private boolean printed(String answer) throws Exception {
        Path socket = folder.resolve("admin.sock");
        try (AdminStub server = new AdminStub(socket, Map.of("GET /lrms", answer))) {
            boolean isBad = printed(socket);
            assertThat(server.asked()).containsExactly("GET /lrms");
            return isBad;
        }
    }

    @Test
    void theProcessIdsOfWorkersThatWereLeftBehindAreNamed() throws Exception {
        assertThat(printed("{\"lrms\":[{\"name\":\"Fork\",\"well\":false,\"why\":\"" + STUCK + "\",\"backOffs\":[]}]}"))
                .isTrue();
        assertThat(out.toString()).isEqualTo("BAD     LRM Fork, as the running server sees it: " + STUCK + ".\n");
    }

    @Test
    void anAccountThatWaitsIsNamedWithTheReason() throws Exception {
        assertThat(printed(
                        "{\"lrms\":[{\"name\":\"Slurm\",\"well\":true,\"why\":\"\",\"backOffs\":[{\"account\":\"alice\","
                                + "\"until\":\"2026-11-25T12:00:00Z\",\"because\":\"" + STUCK + "\"}]}]}"))
                .isFalse();
        assertThat(out.toString())
                .startsWith("WARNING LRM Slurm")
                .contains("the account alice wait until 2026-11-25T12:00:00Z, because 3 worker", "kill -9 41 42 43.\n");
    }

    @Test
    void nothingIsSaidWhereAllIsWellOrNoServerRuns() throws Exception {
        assertThat(printed("{\"lrms\":[{\"name\":\"Fork\",\"well\":true,\"why\":\"\",\"backOffs\":[]}]}"))
                .isFalse();
        assertThat(printed(folder.resolve("none.sock"))).isFalse();
        assertThat(out.toString()).isEmpty();
    }
}
