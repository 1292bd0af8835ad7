// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs small programs of the system to their end. */
final class Programs {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_BYTES = 64 * 1024;

    private Programs() {}

    /** How one ended and the beginning of what it wrote; status -1 if it could not be run or did not end. */
    record Result(int status, String output) {
        boolean isWell() {
            return status == 0;
        }
    }

    static Result run(List<String> command) {
        return run(command, TIMEOUT);
    }

    /** @param timeout after which it is ended */
    static Result run(List<String> command, Duration timeout) {
        Process process = null;
        try {
            process = new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .start();
            Process running = process;
            // a program that hangs is killed, which ends the reading
            process.toHandle()
                    .onExit()
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(late -> {
                        running.destroyForcibly();
                        return running.toHandle();
                    });
            String output = new String(process.getInputStream().readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Result(-1, "it did not end within " + timeout.toSeconds() + " s");
            }
            return new Result(process.exitValue(), output.strip());
        } catch (IOException e) {
            return new Result(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(-1, "interrupted");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    /** Where a program lies on the PATH. */
    static Optional<Path> find(String name) {
        return Stream.of(System.getenv()
                        .getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin")
                        .split(":", -1))
                .map(place -> Path.of(place).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
