// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A schema of its own on the server that the environment names, and a store's settings for it. */
public final class PostgresSchema implements AutoCloseable {

    private final String url;
    private final String user;
    private final String password;
    private final String name = "test_" + Long.toUnsignedString(System.nanoTime(), 36);
    private final Path passwordFile;

    /** Skips the test, saying so, where there is no server. */
    public PostgresSchema(Path directory) throws SQLException, IOException {
        url = environment("JOBGATE_TEST_POSTGRES_URL", null);
        user = environment("JOBGATE_TEST_POSTGRES_USER", "jobgate");
        password = environment("JOBGATE_TEST_POSTGRES_PASSWORD", "");
        passwordFile = Files.createFile(
                directory.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, password + "\n");
        execute("CREATE SCHEMA " + name);
    }

    private static String environment(String variable, @Nullable String otherwise) {
        String value = System.getenv(variable);
        assumeTrue(
                value != null || otherwise != null,
                () -> "SKIPPED: no PostgreSQL to test on. Run: eval \"$(scripts/postgres up)\" (" + variable
                        + " is not set)");
        return value != null ? value : java.util.Objects.requireNonNull(otherwise);
    }

    public StoreSettings settings() {
        return StoreSettings.of(url + "?currentSchema=" + name)
                .withCredentials(user, passwordFile)
                .withTimeout(Duration.ofSeconds(5));
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url + "?currentSchema=" + name, user, password);
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whether a session that begins now may only read. */
    public boolean isReadOnly() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("SHOW default_transaction_read_only")) {
            return found.next() && found.getString(1).equals("on");
        }
    }

    /** Ends every session of a store on this server's database, as a restart of the server would; when this returns they are over. */
    public void breakConnections() throws SQLException {
        execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'jobgate process "
                        + ProcessHandle.current().pid() + "%' AND pid <> pg_backend_pid()");
    }

    @Override
    public void close() throws SQLException {
        execute("DROP SCHEMA " + name + " CASCADE");
    }
}
