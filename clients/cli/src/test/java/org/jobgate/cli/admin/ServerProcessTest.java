// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    @TempDir
    Path folder;

    private Process jvm(List<String> flags) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        // an archive that is none is worth a warning to every JVM
        Path archive = Files.writeString(folder.resolve("archive"), "this is no archive");
        command.addAll(List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive, "-version"));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private static String read(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    @Test
    void whatTheJvmHasToSayIsNotOnStdout() throws Exception {
        assertThat(read(jvm(ServerProcess.QUIET))).isEmpty();
        assertThat(folder.resolve("err")).content().contains("warning");
    }

    @Test
    void theLauncherSaysTheSameToItsOwnJvm() throws Exception {
        Path launcher = Path.of(System.getProperty("jobgate.root")).resolve("bin/jobgate");
        List<String> starts = Files.readAllLines(launcher).stream()
                .filter(line -> line.contains("exec \"$java\""))
                .toList();
        assertThat(starts)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("\"$java\" " + String.join(" ", ServerProcess.QUIET)));
    }
}
