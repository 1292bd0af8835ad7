// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;

/** What the two databases in which records can be do differently. Safe for many threads. */
abstract class AuditDatabase implements AutoCloseable {

    /**
     * Makes the tables, or brings them up to date.
     *
     * @param directory of the file {@code audit.db}, where that is what the store says
     * @throws FaultException of code {@code STORE_UNAVAILABLE} that says why it cannot be opened
     */
    static AuditDatabase open(AuditStore store, Path directory) {
        return store.url() == null
                ? SqliteAudit.open(directory.resolve("audit.db"))
                : PostgresAudit.open(store, store.url());
    }

    /** The tables of this version, by the numbered scripts of one of the databases. */
    static void migrate(DataSource source, String scripts, JavaMigration... further) {
        migrate(source, scripts, MigrationVersion.LATEST, further);
    }

    static void migrate(DataSource source, String scripts, MigrationVersion version, JavaMigration... further) {
        Flyway.configure()
                .target(version)
                .dataSource(source)
                .locations("classpath:db/migration/" + scripts)
                .table("audit_migration")
                // the tables of jobs may lie in the same schema
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .javaMigrations(further)
                .load()
                .migrate();
    }

    /** The one connection that writes; it commits when told to. */
    abstract Connection writer() throws SQLException;

    /** A connection that sees the records as they are at its first query; to be closed after it. */
    abstract Connection reader() throws SQLException;

    /**
     * Bounds how long a question may take that many others may wait behind, where the database can be told so.
     *
     * @param statement not executed yet
     */
    abstract void bound(Statement statement) throws SQLException;

    /** Whether a question has taken longer than it may. */
    abstract boolean isTooLong(SQLException e);

    /** How much room the records take; 0 where that is not known. */
    abstract long bytes();

    /** Which database it is, for messages: never holds a secret. */
    abstract String name();

    /** A text as the database can keep it. */
    abstract String text(String text);

    /** The place of the first such part in a text, from 1; 0 where there is none. In SQL. */
    abstract String position(String text, String part);

    /**
     * What is to be done from time to time, by the one that writes, outside of its transactions.
     *
     * @param now milliseconds since 1970
     */
    abstract void keepUp(Connection writer, long now) throws SQLException;

    /** Closes what is kept open for readers. */
    @Override
    public abstract void close();

    /** That the records cannot be read at present. */
    FaultException unreadable(Exception e) {
        return new FaultException(
                Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The audit records in " + name() + " cannot be read: " + Reason.of(e) + ".",
                        "See the service's log, and docs/operate/accounting.md."),
                e);
    }
}
