// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;

/** The primary groups of local accounts, as {@code id -gn} says them: it asks the password file and the site's directory. */
final class PrimaryGroups {

    private static final int TIMEOUT_SECONDS = 5;
    private static final int LINE_MAX = 4_096;

    private final List<String> command;

    PrimaryGroups() {
        this(List.of("id", "-gn", "--"));
    }

    PrimaryGroups(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** Absent where there is no such account, or its group has no name. */
    Optional<String> of(String account) {
        List<String> words = new ArrayList<>(command);
        words.add(account);
        try {
            Process process = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            try {
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw unavailable(
                            account, String.join(" ", words) + " took more than " + TIMEOUT_SECONDS + " s", null);
                }
                String line = new String(process.getInputStream().readNBytes(LINE_MAX), StandardCharsets.UTF_8).strip();
                return process.exitValue() == 0 && !line.isEmpty() ? Optional.of(line) : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw unavailable(account, Reason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(account, "interrupted", e);
        }
    }

    private static FaultException unavailable(String account, String why, @Nullable Exception cause) {
        Fault fault = Fault.of(
                FaultCode.INTERNAL,
                "The primary group of the account " + account + " could not be looked up: " + why + ".",
                "Try again, or name no group.");
        return cause == null ? new FaultException(fault) : new FaultException(fault, cause);
    }
}
