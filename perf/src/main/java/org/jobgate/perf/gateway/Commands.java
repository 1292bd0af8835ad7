// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs to their end, their output in a file, and measures how long that takes. */
public final class Commands {

    private static final int MAX_SHOWN = 4_000;

    private final Path output;
    private final Map<String, String> environment;
    private final Duration timeout;

    /**
     * A runner.
     *
     * @param output where what the programs write goes, standard error too; each program begins it anew
     * @param environment what is set for them beside the harness's own environment
     * @param timeout after which a program is killed
     */
    public Commands(Path output, Map<String, String> environment, Duration timeout) {
        this.output = requireNonNull(output, "output is null");
        this.environment = Map.copyOf(environment);
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    /**
     * Runs the program.
     *
     * @return from just before its start to just after its end
     * @throws IOException if it fails or takes too long, with what it wrote
     */
    public Duration run(List<String> command) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = start(command);
        boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        if (!ended) {
            process.destroyForcibly().waitFor();
            throw new IOException(command + " did not end within " + timeout + ": " + written());
        }
        if (process.exitValue() != 0) {
            throw new IOException(command + " ended with status " + process.exitValue() + ": " + written());
        }
        return taken;
    }

    /** Starts the program and does not wait for it. */
    Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** What the newest program wrote, or its last part. */
    String written() throws IOException {
        if (!Files.exists(output)) {
            return "(nothing)";
        }
        String text = Files.readString(output, StandardCharsets.ISO_8859_1).strip();
        return text.length() <= MAX_SHOWN ? text : "..." + text.substring(text.length() - MAX_SHOWN);
    }
}
