// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.postgres.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL 13 or later. The store lies in the connection's current schema; an advisory lock of the writer's own session keeps a
 * second container out, so that no write is ever made without it.
 */
final class PostgresDatabase implements Database {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);

    /** "JOBG": the first half of the advisory lock's key; the second is made of the schema's name. */
    private static final int LOCK_CLASS = 0x4A4F4247;

    private static final String LOCK_KEYS = "(" + LOCK_CLASS + ", hashtext(current_schema()) & 2147483647)";
    private static final String TAKE_LOCK = "SELECT pg_try_advisory_lock" + LOCK_KEYS;
    private static final String AWAIT_LOCK = "SELECT pg_advisory_lock" + LOCK_KEYS;
    /** The server may take this long to notice that a container which was killed is gone, and to release its lock. */
    private static final String LOCK_PATIENCE = "5s";

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String HOLDER = "SELECT activity.application_name, activity.backend_start::timestamp(0)::text"
            + " FROM pg_locks AS locks JOIN pg_stat_activity AS activity USING (pid)"
            + " WHERE locks.locktype = 'advisory' AND locks.granted AND locks.database = activity.datid"
            + " AND activity.datname = current_database() AND (locks.classid::bigint, locks.objid::bigint) = "
            + LOCK_KEYS;

    private static final Map<String, String> DIALECT = Map.of(
            "bytes",
            "BYTEA",
            "key",
            "TEXT COLLATE \"C\"",
            "rowStorage",
            "",
            "hotStorage",
            // room in each page, so that a changed row stays in its page and no index is touched
            "WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)");

    private static final String HAS_AUDIT_ONLY =
            "SELECT count(*) FILTER (WHERE tablename = 'audit_migration') > 0 AND count(*) FILTER (WHERE tablename = 'store_migration') = 0"
                    + " FROM pg_tables WHERE schemaname = current_schema()";

    private final StoreSettings settings;
    private final PGSimpleDataSource source;
    private @Nullable HikariDataSource readers;

    PostgresDatabase(StoreSettings settings) {
        this.settings = settings;
        this.source = new PostgresServer(settings.url(), settings.user(), settings.passwordFile(), settings.timeout())
                .source();
    }

    @Override
    public String name() {
        return PostgresServer.name(source);
    }

    @Override
    public Connection openWriter() throws SQLException {
        Connection connection = source.getConnection();
        try {
            takeLock(connection);
            insistOnDurability(connection);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void takeLock(Connection connection) throws SQLException {
        if (!"t".equals(one(connection, TAKE_LOCK)) && !awaitLock(connection)) {
            throw new OutageException(Fault.of(
                    FaultCode.STORE_UNAVAILABLE,
                    "The store " + name() + " is in use by " + holder(connection) + ".",
                    "One container per store: stop the other one, or give this one its own database or schema."));
        }
    }

    private static boolean awaitLock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '" + LOCK_PATIENCE + "'");
            try {
                statement.execute(AWAIT_LOCK);
                return true;
            } catch (SQLException e) {
                if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    return false;
                }
                throw e;
            } finally {
                statement.execute("SET lock_timeout = DEFAULT");
            }
        }
    }

    private static String holder(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(HOLDER)) {
            return row.next() ? row.getString(1) + " since " + row.getString(2) : "a session that has just ended";
        }
    }

    /** A server may be set up to answer a commit before it is on disk; what we can set for our session, we set. */
    private void insistOnDurability(Connection connection) throws SQLException {
        if ("off".equals(one(connection, "SHOW synchronous_commit"))) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = on");
            }
        }
        if ("off".equals(one(connection, "SHOW fsync"))) {
            LOG.warn("{} runs with fsync = off: a power failure will lose acknowledged jobs. Set fsync = on.", name());
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** What makes the tables would only say that the schema is not empty, and not what to do. */
    private void refuseBesideAudit() {
        try (Connection connection = source.getConnection()) {
            if ("t".equals(one(connection, HAS_AUDIT_ONLY))) {
                throw new FaultException(Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The schema of the store " + name()
                                + " has audit records and no jobs; a store of jobs does not begin there.",
                        "Give the jobs a database or schema of their own in store.url. If the jobs were here and are lost, restore both"
                                + " from one backup; see docs/operate/postgresql.md."));
            }
        } catch (SQLException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The store " + name() + " cannot be opened: " + e.getMessage() + ".",
                            "See the service's log, and docs/operate/recovering.md."),
                    e);
        }
    }

    @Override
    public void migrate() {
        refuseBesideAudit();
        Migration.run(source, name(), DIALECT);
        readers = openReaders();
    }

    /** Makes the tables as a version has them in a schema without them; there may be others. */
    void migrateTo(String version) {
        Migration.anew(source, name(), DIALECT, version);
    }

    private HikariDataSource openReaders() {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("jobgate-store-readers");
        pool.setDataSource(source);
        pool.setReadOnly(true);
        pool.setMaximumPoolSize(settings.maxReaders());
        pool.setConnectionTimeout(settings.timeout().toMillis());
        return new HikariDataSource(pool);
    }

    @Override
    public Connection reader() throws SQLException {
        HikariDataSource pool = readers;
        if (pool == null) {
            throw new SQLException("the store is not open");
        }
        return pool.getConnection();
    }

    @Override
    public @Nullable Fault outage(SQLException exception) {
        return PostgresOutages.explain(exception, name());
    }

    @Override
    public boolean breaksConnection(SQLException exception) {
        return PostgresOutages.breaksConnection(exception);
    }

    @Override
    public String transactionName(Connection writer) throws SQLException {
        return one(writer, "SELECT pg_current_xact_id()");
    }

    @Override
    public boolean wasCommitted(Connection writer, String transactionName) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement("SELECT pg_xact_status(?::xid8)")) {
            statement.setString(1, transactionName);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && "committed".equals(row.getString(1));
            }
        }
    }

    @Override
    public void closeReaders() {
        if (readers != null) {
            readers.close();
        }
    }

    @Override
    public void close() {
        // the lock went with the writer's session
    }
}
