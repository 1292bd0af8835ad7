// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Jobs with files that one gateway gives to another: the other one moves them, with a credential that the first delegates there. */
class FilesOfRemoteJobsIT extends TwoGateways {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private void awaitState(String id, String state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api("/jobs/" + id)).contains("\"state\":\"" + state + "\""));
    }

    private static String credentials(String key) {
        return ", \"credentials\": {\"job\": \"" + key + "\", \"files\": \"" + key + "\"}";
    }

    private static String sh(String script) {
        return "{\"lrm\": \"" + Gateway.OTHER + "\", \"executable\": \"/bin/sh\", \"arguments\": [\"-c\", \"" + script
                + "\"]";
    }

    private static String fetching(String source, Path destination) {
        return ", \"stageIn\": [{\"source\": \"" + source + "\", \"destination\": \"file://" + destination + "\"}]";
    }

    @Test
    void filesComeAndGoAndTheJobRunsOnceThoughEachGatewayIsKilledMeanwhile() throws Exception {
        byte[] content = new byte[8 * 1024 * 1024];
        new Random(2).nextBytes(content);
        Path in = folder.resolve("in");
        Path sum = folder.resolve("sum");
        Path runs = folder.resolve("runs");
        try (FileServer server = new FileServer(here)) {
            server.put("/in", content);
            server.slowDown(30); // about 2 MiB/s
            String job = submit(sh("echo run >> " + runs + "; sleep 3; sha256sum < " + in + " > " + sum + "; echo told")
                    + fetching(server.url("/in"), in)
                    + ", \"stageOut\": [{\"source\": \"file://" + sum + "\", \"destination\": \"" + server.url("/sum")
                    + "\"}], \"cleanUp\": [\"file://" + in + "\", \"file://" + sum + "\"], \"stdout\": \""
                    + server.url("/stdout") + "\"" + credentials(delegated()) + "}");
            Awaitility.await().atMost(PATIENCE).until(() -> server.sent() > 1024 * 1024);
            here.kill();
            there.kill();
            there.startAgain();
            here.startAgain();
            server.slowDown(0);
            Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(runs));
            there.kill();
            here.kill();
            here.startAgain();
            there.startAgain();

            awaitState(job, "Done");
            assertThat(Files.readAllLines(runs)).containsExactly("run");
            assertThat(new String(server.get("/sum"), StandardCharsets.UTF_8)).matches("(?s)[0-9a-f]{64}  -\n");
            assertThat(new String(server.get("/stdout"), StandardCharsets.UTF_8))
                    .isEqualTo("told\n");
            assertThat(in).doesNotExist();
            assertThat(sum).doesNotExist();
        }
    }

    @Test
    void aFileThatIsNotThereFailsTheJobWithTheWordsOfTheOtherGateway() throws Exception {
        Path runs = folder.resolve("missing-runs");
        try (FileServer server = new FileServer(here)) {
            String job = submit(sh("echo run >> " + runs) + fetching(server.url("/missing"), folder.resolve("missing"))
                    + credentials(delegated()) + "}");

            awaitState(job, "Failed");
            assertThat(api("/jobs/" + job)).contains("STAGING_FAILED").contains("no such file");
            assertThat(runs).doesNotExist();
        }
    }

    @Test
    void aJobIsCancelledWhileItsFilesAreOnTheirWayAndTheyAreRemoved() throws Exception {
        Path in = folder.resolve("cancelled");
        Path runs = folder.resolve("cancelled-runs");
        byte[] content = new byte[8 * 1024 * 1024];
        Arrays.fill(content, (byte) 1);
        try (FileServer server = new FileServer(here)) {
            server.put("/in", content);
            server.sendAtMost(1024 * 1024);
            String job = submit(sh("echo run >> " + runs) + fetching(server.url("/in"), in)
                    + ", \"cleanUp\": [\"file://" + in + "\"]" + credentials(delegated()) + "}");
            Awaitility.await().atMost(PATIENCE).until(() -> server.sent() >= 1024 * 1024);

            api("/jobs/" + job + "/cancel", "-X", "POST");
            try {
                awaitState(
                        job,
                        "Cancelled"); // the rest may only come then, for the job would run as soon as it has its file
            } finally {
                server.sendTheRest();
            }
            assertThat(in).doesNotExist();
            assertThat(runs).doesNotExist();
        }
    }

    @Test
    void aJobWaitsForAGatewayThatIsAwayAndOneWithoutItsOwnCredentialIsRefused() throws Exception {
        Path in = folder.resolve("late");
        try (FileServer server = new FileServer(here)) {
            server.put("/in", "late".getBytes(StandardCharsets.UTF_8));
            there.kill();
            String job = submit(sh("cat " + in) + fetching(server.url("/in"), in) + credentials(delegated()) + "}");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(api("/jobs/" + job + "/explain")).contains("gives no clear answer"));
            there.startAgain();
            awaitState(job, "Done");
            assertThat(in).hasContent("late");

            String files = ", \"credentials\": {\"files\": \"" + delegated() + "\"}}";
            assertThatThrownBy(() -> submit(sh("true") + fetching(server.url("/in"), in) + files))
                    .hasMessageContaining("none for the job");
        }
    }
}
