// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts of the lab do before there is a lab. */
class LabScriptsTest {

    @TempDir
    private Path room;

    @Test
    void packagesAreInstalledWhereTheLabHasNoDirectoryYet() throws IOException, InterruptedException {
        Path said = room.resolve("said");
        ProcessBuilder script = new ProcessBuilder(
                        "bash", "-c", ". docker/lab/common.sh; need_packages bash; echo \"there: $LAB\"")
                .directory(Checkout.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        script.environment().put("JOBGATE_LAB", room.resolve("new/lab").toString());
        Process run = script.start();

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).hasContent("there: " + room.resolve("new/lab"));
    }
}
