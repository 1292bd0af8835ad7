// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.job.Reason;

/** The accounts of this machine, as {@code getent} knows them. */
public final class LocalAccounts {

    private static final long TIMEOUT_SECONDS = 5;
    private static final int LINE_MAX = 4_096;
    private static final int FIELDS_MIN = 3;

    private final List<String> command;

    /** One of them. */
    record Account(String name, long uid) {
        Account {
            requireNonNull(name, "name is null");
        }
    }

    public LocalAccounts() {
        this(List.of("getent", "passwd"));
    }

    LocalAccounts(List<String> command) {
        this.command = List.copyOf(command);
    }

    /**
     * The account of that name or number.
     *
     * @throws IllegalArgumentException where it cannot be looked up
     */
    Optional<Account> named(String key) {
        List<String> words =
                Stream.concat(command.stream(), Stream.of("--", key)).toList();
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            try {
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalArgumentException(
                            "the account " + key + " was not found within " + TIMEOUT_SECONDS + " s (getent passwd)");
                }
                String line = new String(process.getInputStream().readNBytes(LINE_MAX), StandardCharsets.ISO_8859_1);
                String[] fields = line.strip().split(":", -1);
                return fields.length >= FIELDS_MIN && fields[2].matches("[0-9]{1,10}")
                        ? Optional.of(new Account(fields[0], Long.parseLong(fields[2])))
                        : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the account " + key + " cannot be looked up: " + Reason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("interrupted", e);
        }
    }
}
