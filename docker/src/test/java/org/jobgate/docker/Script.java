// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs shell commands in the top directory of the checkout. */
final class Script {

    private static final int SECONDS_MAX = 60;

    private Script() {}

    /** How they ended, and what they wrote to standard output and standard error. */
    record Result(int status, String output) {}

    /** Runs them with the environment of the test, that of the map, and one variable more that names a path. */
    static Result run(Map<String, String> more, String variable, Path value, String commands)
            throws IOException, InterruptedException {
        Path said = Files.createTempFile("jobgate-script-", ".txt");
        try {
            ProcessBuilder script = new ProcessBuilder("bash", "-c", commands)
                    .directory(Checkout.root().toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile());
            script.environment().putAll(more);
            script.environment().put(variable, value.toString());
            Process run = script.start();
            boolean isOver = run.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            if (!isOver) {
                run.descendants().forEach(ProcessHandle::destroyForcibly);
                run.destroyForcibly();
            }
            assertThat(isOver)
                    .as("%s ends: %s", commands, Files.readString(said))
                    .isTrue();
            return new Result(run.exitValue(), Files.readString(said));
        } finally {
            Files.delete(said);
        }
    }
}
