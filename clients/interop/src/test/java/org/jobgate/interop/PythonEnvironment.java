// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Python with packages that others wrote, in environments of their own. */
final class PythonEnvironment {

    private PythonEnvironment() {}

    /**
     * The interpreter of an environment with what a file of requirements names, made at the first run.
     *
     * @param requirements that file, of this module
     * @param place of the environment, in this module
     */
    static String with(Programs programs, String requirements, String place) throws IOException, InterruptedException {
        Path wanted = Checkout.file(requirements);
        Path environment = Checkout.file(place);
        Path made = environment.resolve("requirements.txt");
        String python = environment.resolve("bin/python").toString();
        Files.createDirectories(environment.getParent());
        // tests in another process want the same one at the same time
        try (FileChannel lock = FileChannel.open(
                        environment.resolveSibling(environment.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            requireNonNull(held, "no lock");
            make(programs, wanted, environment, made, python);
        }
        return python;
    }

    private static void make(Programs programs, Path wanted, Path environment, Path made, String python)
            throws IOException, InterruptedException {
        if (!Files.exists(made) || Files.mismatch(wanted, made) >= 0) {
            needs(programs, List.of("python3", "-m", "venv", "--clear", environment.toString()));
            needs(
                    programs,
                    List.of(
                            python,
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--retries",
                            "1",
                            "--requirement",
                            wanted.toString()));
            Files.copy(wanted, made);
        }
    }

    private static void needs(Programs programs, List<String> command) throws IOException, InterruptedException {
        Programs.Result result;
        try {
            result = programs.run(command);
        } catch (IOException e) {
            result = new Programs.Result(-1, String.valueOf(e.getMessage()));
        }
        assumeTrue(
                result.status() == 0,
                "SKIPPED: no environment of Python, for " + command + " failed: " + result.output());
    }
}
