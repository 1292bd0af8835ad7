// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A crowd is to take no processor from the service. */
final class ClientProcessTest {

    private static final Path AUTOGROUP = Path.of("/proc/self/autogroup");

    @Test
    void lowersTheSessionAsWellAsTheProcess() throws IOException, InterruptedException {
        assumeTrue(Files.exists(AUTOGROUP), "this system deals out no processors by session");
        String before = Files.readString(AUTOGROUP);

        String told = told("cat /proc/self/autogroup; nice; cut -d ' ' -f 1,6 /proc/self/stat; echo \"$1\"", "a b");

        List<String> lines = told.lines().toList();
        assertThat(lines.getFirst()).as(told).endsWith("nice 7");
        assertThat(lines.get(1)).as(told).isEqualTo(Integer.toString(Math.min(19, niceness() + 7)));
        assertThat(lines.get(3)).as("an argument with a blank").isEqualTo("a b");
        assertThat(Files.readString(AUTOGROUP))
                .as("our own session is as it was")
                .isEqualTo(before);
    }

    private static int niceness() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        // the 19th field; what stands before the last parenthesis may have blanks
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    private static String told(String script, String argument) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ClientProcess.lowered(7));
        command.addAll(List.of("sh", "-c", script, "sh", argument));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        return told;
    }
}
