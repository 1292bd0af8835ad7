// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A PostgreSQL of one test's own, by {@code scripts/postgres}, which can be stopped and lost without harm to others. */
final class OwnPostgres implements AutoCloseable {

    private final Path directory;

    /** Where the account of the server can reach it. */
    private final String place = "/var/tmp/jobgate-test-postgres-" + System.nanoTime();

    private final String lines;
    private final Path password;

    private OwnPostgres(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.lines = run("up");
        this.password = Files.createFile(
                directory.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, value("PASSWORD") + "\n");
    }

    /**
     * Starts one; skips the test, saying so, where PostgreSQL is not installed.
     *
     * @param directory for files that belong to it
     */
    static OwnPostgres start(Path directory) throws IOException, InterruptedException {
        assumeTrue(
                Files.isDirectory(Path.of("/usr/lib/postgresql")),
                "SKIPPED: no PostgreSQL here; on Debian: apt-get install postgresql");
        return new OwnPostgres(directory);
    }

    /** As the configuration of a gateway names it. */
    String configuration() {
        return "{ url: '" + value("URL") + "', user: " + value("USER") + ", passwordFile: " + password + " }";
    }

    void stop() throws IOException, InterruptedException {
        run("stop");
    }

    void startAgain() throws IOException, InterruptedException {
        assertThat(run("up")).as("the same address").isEqualTo(lines);
    }

    /** All that it holds is gone. */
    void lose() throws IOException, InterruptedException {
        var unused = new Programs(directory, Map.of("PGPASSWORD", value("PASSWORD")))
                .runWell(List.of(
                        "psql",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-U",
                        value("USER"),
                        "-c",
                        "DROP SCHEMA public CASCADE",
                        "-c",
                        "CREATE SCHEMA public",
                        value("URL").substring("jdbc:".length())));
    }

    private String value(String name) {
        String begin = "export JOBGATE_TEST_POSTGRES_" + name + "=";
        return lines.lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .findFirst()
                .orElseThrow();
    }

    private String run(String what) throws IOException, InterruptedException {
        return new Programs(directory, Map.of())
                .runWell(
                        List.of(Checkout.directory().resolve("scripts/postgres").toString(), what, place));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("down");
    }
}
