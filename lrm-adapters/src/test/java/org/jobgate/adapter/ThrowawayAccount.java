// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A local account that a test makes and removes, reached through a real sudo; and a file of root's that it must never reach. */
final class ThrowawayAccount implements AutoCloseable {

    private final String name;
    private final Path perl;
    private final Path secret;
    private boolean wasMade;

    ThrowawayAccount(String kind) {
        long pid = ProcessHandle.current().pid() % 100_000;
        name = "jobgate-" + kind + "-" + pid;
        perl = Path.of("/tmp/jobgate-" + kind + "-perl-" + pid);
        secret = Path.of("/tmp/jobgate-" + kind + "-secret-" + pid);
    }

    String name() {
        return name;
    }

    Path home() {
        return Path.of("/home", name);
    }

    Path secret() {
        return secret;
    }

    /** Makes it, or skips the test where this is not root. */
    void make() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: files of another account are tested by root only (a throwaway account is made)");
        assumeTrue(Files.exists(Path.of("/usr/bin/sudo")), "SKIPPED: sudo is not installed");
        command("useradd", "--system", "--create-home", "--shell", "/bin/sh", name);
        wasMade = true;
        // the checkout may be closed to other accounts
        command("cp", "-r", LrmRoom.PERL.toString(), perl.toString());
        command("chmod", "-R", "a+rX", perl.toString());
        Files.writeString(secret, "root's own");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    }

    /** Workers that reach it, and deny root. */
    FileWorkers workers() {
        return new FileWorkers(
                new FileSettings(
                        perl,
                        Path.of("/usr/bin/perl"),
                        Path.of("/usr/bin/sudo"),
                        Set.of("root"),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(1)),
                "root",
                new LeftWorkers(),
                Clock.systemUTC(),
                new SecureRandom());
    }

    /** Does something as the account, in its home. */
    void sh(String script) throws IOException, InterruptedException {
        command("/usr/bin/sudo", "-n", "-H", "-u", name, "--", "/bin/sh", "-ec", "cd; " + script);
    }

    /** Does something as root. */
    static void command(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (wasMade) {
            command("userdel", "--remove", name);
            command("rm", "-r", perl.toString());
            Files.deleteIfExists(secret);
        }
    }
}
