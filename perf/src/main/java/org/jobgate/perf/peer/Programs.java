// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What is installed here. */
final class Programs {

    private static final int SECONDS = 30;

    private Programs() {}

    /** The version of a Debian package; {@code unknown} where it is not installed. */
    static String packageVersion(String name) throws IOException, InterruptedException {
        return version(List.of("dpkg-query", "-W", "-f", "${Version}", name));
    }

    /** The same of a Debian that was unpacked below a directory. */
    static String packageVersion(Path root, String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("dpkg-query", "--admindir=" + root.resolve("var/lib/dpkg")));
        command.addAll(List.of("-W", "-f", "${Version}", name));
        return version(command);
    }

    private static String version(List<String> command) throws IOException, InterruptedException {
        String said = output(command);
        return said.isEmpty() ? "unknown" : said;
    }

    /** What a program prints; nothing where it fails. */
    static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        boolean good = process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        return good ? said : "";
    }
}
