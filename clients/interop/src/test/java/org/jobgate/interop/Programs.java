// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs to their end.
 *
 * @param directory where their output is kept
 * @param environment what is set for them beside the test's own environment
 */
record Programs(Path directory, Map<String, String> environment) {

    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    /** How long a program that is asked to end may take to end what it has started. */
    private static final Duration GRACE = Duration.ofSeconds(40);

    Programs {
        requireNonNull(directory, "directory is null");
        environment = Map.copyOf(environment);
    }

    /** How a program ended, and what it wrote to standard output and standard error. */
    record Result(int status, String output) {}

    /** Runs it; after eight minutes it is asked to end (SIGTERM), and soon killed if it does not, and that is an error. */
    Result run(List<String> command) throws IOException, InterruptedException {
        return run(command, Path.of("/dev/null"));
    }

    /** As {@link #run(List)}, with a file as its standard input. */
    Result run(List<String> command, Path input) throws IOException, InterruptedException {
        return run(command, input, TIMEOUT);
    }

    /** As {@link #run(List)}, with another time after which it is to end. */
    Result run(List<String> command, Duration timeout) throws IOException, InterruptedException {
        return run(command, Path.of("/dev/null"), timeout);
    }

    private Result run(List<String> command, Path input, Duration timeout) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroy();
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            throw new IOException(command + " did not end within " + timeout + ": " + text(output));
        }
        return new Result(process.exitValue(), text(output));
    }

    /** Runs it, and throws with what it wrote unless its status is 0. */
    String runWell(List<String> command) throws IOException, InterruptedException {
        Result result = run(command);
        if (result.status() != 0) {
            throw new IOException(command + " ended with status " + result.status() + ": " + result.output());
        }
        return result.output();
    }

    /** The home of an account of this machine, of its password database. */
    Path home(String account) throws IOException, InterruptedException {
        String entry = runWell(List.of("getent", "passwd", account)).strip();
        List<String> fields = List.of(entry.split(":", -1));
        if (fields.size() != 7 || !fields.get(5).startsWith("/")) {
            throw new IOException("the password database says of " + account + ": " + entry);
        }
        return Path.of(fields.get(5));
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
