// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.FlywayException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The file of audit records: SQLite with a write-ahead log, every commit forced to disk, for the service's account alone. */
final class SqliteAudit extends AuditDatabase {

    private static final int BUSY_MILLIS = 10_000;

    private final Path file;

    private SqliteAudit(Path file) {
        this.file = file;
    }

    static SqliteAudit open(Path file) {
        SqliteAudit database = new SqliteAudit(file);
        try {
            try {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            } catch (FileAlreadyExistsException e) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
            migrate(database.source(false), "audit", new SumsMigration(database));
            return database;
        } catch (IOException | FlywayException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The audit records in " + file + " cannot be opened: " + Reason.of(e) + ".",
                            "Make the state directory writable for the service's account; if the file is broken, put a copy of it in its"
                                    + " place, or move it and audit.head away: records are then made from the oldest change that is"
                                    + " kept on."),
                    e);
        }
    }

    private SQLiteDataSource source(boolean readOnly) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        config.setReadOnly(readOnly);
        if (!readOnly) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        }
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    @Override
    Connection writer() throws SQLException {
        Connection connection = source(false).getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    Connection reader() throws SQLException {
        Connection connection = source(true).getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** SQLite has no such bound; who asks waits for as long as the file is read, and holds up nobody who writes. */
    @Override
    void bound(Statement statement) {}

    @Override
    boolean isTooLong(SQLException e) {
        return false;
    }

    /** With its write-ahead log. */
    @Override
    long bytes() {
        return size(file) + size(file.resolveSibling(file.getFileName() + "-wal"));
    }

    private static long size(Path path) {
        // File.length, as it answers 0 for a file that is not there
        return path.toFile().length();
    }

    @Override
    String name() {
        return file.toString();
    }

    @Override
    String text(String text) {
        return text;
    }

    @Override
    String position(String text, String part) {
        return "instr(" + text + ", " + part + ")";
    }

    @Override
    void keepUp(Connection writer, long now) {
        // SQLite has no parts that would have to be made or dropped
    }

    @Override
    public void close() {
        // each reader has a connection of its own
    }
}
