// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;

/**
 * Home directories as the host knows them: from its password file, and for accounts that are not in it from {@code getent}, which
 * asks the site's directory. Looked up each time, for homes move (facts/gram4.md section 11, bug 4918).
 */
public final class PasswdHomes implements AccountHomes {

    private static final int TIMEOUT_SECONDS = 5;
    private static final int HOME_FIELD = 5;

    private final Path passwordFile;
    private final List<String> command;

    public PasswdHomes() {
        this(Path.of("/etc/passwd"), List.of("getent", "passwd"));
    }

    PasswdHomes(Path passwordFile, List<String> command) {
        this.passwordFile = requireNonNull(passwordFile, "passwordFile is null");
        this.command = List.copyOf(command);
    }

    @Override
    public Optional<String> home(String account) {
        try (Stream<String> lines = Files.lines(passwordFile, StandardCharsets.ISO_8859_1)) {
            Optional<String> home = home(lines, account);
            return home.isPresent() ? home : ask(account);
        } catch (IOException | UncheckedIOException e) {
            throw unavailable(account, Reason.of(e));
        }
    }

    private static Optional<String> home(Stream<String> lines, String account) {
        return lines.map(line -> line.split(":", -1))
                .filter(fields -> fields.length > HOME_FIELD && fields[0].equals(account))
                .map(fields -> fields[HOME_FIELD])
                .filter(home -> !home.isEmpty())
                .findFirst();
    }

    private Optional<String> ask(String account) throws IOException {
        List<String> words =
                Stream.concat(command.stream(), Stream.of("--", account)).toList();
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw unavailable(account, String.join(" ", words) + " took more than " + TIMEOUT_SECONDS + " s");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return home(Arrays.stream(output.split("\n", -1)), account);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(account, "interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private static FaultException unavailable(String account, String why) {
        return new FaultException(Fault.of(
                FaultCode.INTERNAL,
                "The home directory of the account " + account + " could not be looked up: " + why + ".",
                "Try again, or give absolute paths without variables."));
    }
}
