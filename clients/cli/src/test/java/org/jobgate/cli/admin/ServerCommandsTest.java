// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerCommandsTest {

    @Test
    void aServerThatWasKilledAndIsNotYetWaitedForDoesNotHinderTheNext() throws Exception {
        // a shell that becomes another program does not wait for the child it had
        Process parent = new ProcessBuilder("/bin/sh", "-c", "sleep 0 & echo $!; exec sleep 30").start();
        try (BufferedReader said = parent.inputReader()) {
            long dead = Long.parseLong(said.readLine());
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            Files.readString(Path.of("/proc/" + dead + "/stat")).contains(") Z "));

            assertThat(ProcessHandle.of(dead))
                    .hasValueSatisfying(process ->
                            assertThat(ServerCommands.isServer(process)).isFalse());
        } finally {
            parent.destroyForcibly();
        }
    }
}
