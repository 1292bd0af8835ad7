// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user has more jobs for a gateway than the site's quota lets the user have there at a time. */
class IceQuotaIT {

    private static final int JOBS = 9;
    private static final int QUOTA = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    /** The quota is no failure of a job: it was taken for one, and every job above the quota ended as refused. */
    @Test
    void iceWaitsUntilTheQuotaHasRoomAndRunsAllJobs() throws Exception {
        try (Gateway gateway = Gateway.startWith(
                "decisionPoints: [ { kind: owner-quota, maxJobs: " + QUOTA + " }, { kind: grid-mapfile } ]\n")) {
            IceCommand ice = new IceCommand(gateway.clients(), folder.resolve("queue"));
            List<String> words = new ArrayList<>(List.of(
                    "submit",
                    "-r",
                    IceCommand.queue(gateway),
                    "-p",
                    gateway.proxy().toString()));
            Path go = folder.resolve("go"); // until then those that run leave no room for others; ten minutes at most
            for (int i = 0; i < JOBS; i++) {
                words.add(Files.writeString(
                                folder.resolve("job" + i + ".jdl"),
                                "Executable = \"/usr/bin/timeout\"; Arguments = \"600 /bin/sh -c 'echo " + i + " >> "
                                        + folder.resolve("ran") + "; until test -e " + go + "; do sleep 0.2; done'\";")
                        .toString());
            }
            ice.good(words.toArray(String[]::new));
            Process manager = ice.start("--threads", "1", "--bulk", "1", "--poll", "1", "--until-done");
            try {
                Path log = folder.resolve("manager.log");
                await().atMost(PATIENCE)
                        .until(() -> Files.exists(log)
                                && Files.readString(log).contains("cannot accept jobs at the moment"));
                Files.createFile(go);
                assertThat(manager.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(ice.good("status", "-a"))
                        .isTrue();
            } finally {
                manager.destroy();
                manager.waitFor();
            }

            assertThat(ice.good("status")).as(ice.good("status", "-a")).isEqualTo("DONE-OK\t" + JOBS + "\n");
            assertThat(Files.readAllLines(folder.resolve("ran"))).hasSize(JOBS).doesNotHaveDuplicates();
            assertThat(folder.resolve("manager.log"))
                    .content()
                    .contains("cannot accept jobs at the moment", "limit " + QUOTA);
        }
    }
}
