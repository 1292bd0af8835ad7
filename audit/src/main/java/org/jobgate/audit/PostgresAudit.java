// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jobgate.store.postgres.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Audit records in PostgreSQL 13 or later, in the connection's current schema, which may be that of the jobs. An advisory lock of the writer's
 * own session keeps the chain of a second gateway out. The two large tables have a part for each month.
 */
final class PostgresAudit extends AuditDatabase {

    /** "JOBA": the first half of the advisory lock's key; the second is made of the schema's name. */
    private static final int LOCK_CLASS = 0x4A4F4241;

    private static final String LOCK =
            "SELECT pg_advisory_lock(" + LOCK_CLASS + ", hashtext(current_schema()) & 2147483647)";

    /** The server may take this long to notice that a gateway which was killed is gone, and to release its lock. */
    private static final String LOCK_PATIENCE = "5s";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final String SIZE = "SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c"
            + " WHERE c.relnamespace = current_schema()::regnamespace AND c.relname LIKE 'audit\\_%' AND c.relkind = 'r'";

    /** To verify many millions of records takes a while. */
    private static final Duration LONG_ANSWER = Duration.ofMinutes(10);

    private static final Duration LONGEST_SUM = Duration.ofSeconds(60);

    private static final String QUERY_CANCELED = "57014";

    private static final String SCRIPTS = "auditpostgres";
    private static final int READERS = 4;
    private static final int FETCHED_ROWS = 500;

    private final PGSimpleDataSource source;
    private final AuditStore store;
    private final PostgresMonths months = new PostgresMonths();
    private @Nullable HikariDataSource readers;
    private volatile long bytes;

    private PostgresAudit(PGSimpleDataSource source, AuditStore store) {
        this.source = source;
        this.store = store;
    }

    static PGSimpleDataSource source(AuditStore store, String url) {
        return new PostgresServer(url, store.user(), store.passwordFile(), store.timeout()).source();
    }

    /** Makes the tables as a version has them, where they are not there. */
    static void makeAs(PGSimpleDataSource source, String version) {
        migrate(source, SCRIPTS, MigrationVersion.fromVersion(version));
    }

    /** What is there as it is: its tables may be those of another version, or missing. */
    static PostgresAudit unopened(AuditStore store, String url) {
        return new PostgresAudit(source(store, url), store);
    }

    /** How long an answer about all records is waited for. */
    static int longAnswerMillis() {
        return Math.toIntExact(LONG_ANSWER.toMillis());
    }

    static PostgresAudit open(AuditStore store, String url) {
        PGSimpleDataSource source = source(store, url);
        try {
            migrate(source, SCRIPTS);
            return new PostgresAudit(source, store);
        } catch (FlywayException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The audit records in " + PostgresServer.name(source) + " cannot be opened: " + Reason.of(e)
                                    + ".",
                            "See that the server runs and that audit.url, user and passwordFile are right; see"
                                    + " docs/operate/accounting.md."),
                    e);
        }
    }

    private synchronized HikariDataSource readers() {
        HikariDataSource opened = readers;
        if (opened == null || opened.isClosed()) {
            HikariConfig pool = new HikariConfig();
            pool.setPoolName("jobgate-audit-readers");
            // a reader takes its rows in pieces, or all records would be in memory at once
            PGSimpleDataSource reading = source(store, requireNonNull(store.url()));
            reading.setDefaultRowFetchSize(FETCHED_ROWS);
            reading.setSocketTimeout(Math.toIntExact(LONG_ANSWER.toSeconds()));
            pool.setDataSource(reading);
            pool.setReadOnly(true);
            pool.setAutoCommit(false);
            pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            pool.setMaximumPoolSize(READERS);
            pool.setMinimumIdle(0);
            pool.setInitializationFailTimeout(-1);
            pool.setConnectionTimeout(store.timeout().toMillis());
            opened = new HikariDataSource(pool);
            readers = opened;
        }
        return opened;
    }

    @Override
    Connection writer() throws SQLException {
        Connection connection = source.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '" + LOCK_PATIENCE + "'");
            statement.execute(LOCK);
            statement.execute("SET lock_timeout = DEFAULT");
            statement.execute("SET synchronous_commit = on");
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw LOCK_NOT_AVAILABLE.equals(e.getSQLState())
                    ? new SQLException(
                            "the audit records in " + name() + " are written by another gateway; give this one its own"
                                    + " database or schema",
                            e)
                    : e;
        }
    }

    @Override
    Connection reader() throws SQLException {
        return readers().getConnection();
    }

    /** In time for whoever waits for the answer, and well before the server would look at years of records with all its processors. */
    @Override
    void bound(Statement statement) throws SQLException {
        statement.setQueryTimeout(Math.toIntExact(LONGEST_SUM.toSeconds()));
    }

    @Override
    boolean isTooLong(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState());
    }

    /** As it was when it was last looked at: who reads metrics must not wait for a server. */
    @Override
    long bytes() {
        return bytes;
    }

    @Override
    String name() {
        return PostgresServer.name(source);
    }

    /** PostgreSQL has no character 0 in texts. */
    @Override
    String text(String text) {
        return text.replace('\u0000', '\uFFFD');
    }

    @Override
    String position(String text, String part) {
        return "strpos(" + text + ", " + part + ")";
    }

    @Override
    void keepUp(Connection writer, long now) throws SQLException {
        months.keepUp(writer, now);
        try (Statement statement = writer.createStatement();
                ResultSet size = statement.executeQuery(SIZE)) {
            size.next();
            bytes = size.getLong(1);
        }
        writer.rollback();
    }

    @Override
    public synchronized void close() {
        if (readers != null) {
            readers.close();
        }
    }
}
