// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.api.FlywayException;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jobgate.store.postgres.PostgresCopy;
import org.postgresql.ds.PGSimpleDataSource;

/** Audit records that are in PostgreSQL, in one file for a backup. The gateway goes on while they are copied, and nobody waits. */
public final class AuditCopy {

    private static final PostgresCopy.Tables TABLES = new PostgresCopy.Tables(
            "audit",
            List.of("audit_job", "audit_entry", "audit_day", "audit_state"),
            "audit_migration",
            List.of("gram_audit_table"));

    private AuditCopy() {}

    /**
     * Makes the copy.
     *
     * @param store in PostgreSQL
     * @param target must not be there yet; it is made for its owner alone
     * @throws IOException if it cannot be made; the file may be there then, and is of no use
     */
    public static void make(AuditStore store, Path target) throws IOException {
        try {
            PostgresCopy.make(PostgresAudit.source(store, url(store)), TABLES, target);
        } catch (SQLException | FaultException e) {
            throw new IOException("the audit records cannot be copied: " + Reason.of(e), e);
        }
    }

    /**
     * Puts a copy into the place of what is there, which is moved into a schema of its own, never deleted. No gateway may write there.
     *
     * @param now names that schema
     * @return what was done, in lines for people
     * @throws IOException if that cannot be done; then some of it may be done, and doing it again begins anew
     */
    public static List<String> restore(AuditStore store, Path copy, Instant now) throws IOException {
        PGSimpleDataSource source;
        try {
            source = PostgresAudit.source(store, url(store));
        } catch (FaultException e) {
            throw new IOException("the audit records cannot be put back: " + Reason.of(e), e);
        }
        // the connection that writes holds the lock which keeps a gateway out
        try (AuditDatabase database = PostgresAudit.unopened(store, url(store));
                Connection writer = database.writer()) {
            List<String> lines = new ArrayList<>(PostgresCopy.restore(
                    writer,
                    TABLES,
                    new PostgresCopy.Maker() {
                        @Override
                        public void make(String version) {
                            PostgresAudit.makeAs(source, version);
                        }

                        @Override
                        public void month(YearMonth month) throws SQLException {
                            PostgresMonths.make(writer, month);
                        }
                    },
                    copy,
                    now));
            lines.add("The audit records in " + database.name() + " are those of the backup.");
            return lines;
        } catch (SQLException | FlywayException | FaultException e) {
            throw new IOException("the audit records cannot be put back: " + Reason.of(e), e);
        }
    }

    private static String url(AuditStore store) {
        return requireNonNull(store.url(), "the records are in no PostgreSQL");
    }
}
