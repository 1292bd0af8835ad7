// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jobgate.store.postgres.PostgresCopy;
import org.jobgate.store.postgres.PostgresServer;

/** A store of jobs that is in PostgreSQL, in one file for a backup, as it is at one moment. The gateway goes on meanwhile, and nobody waits. */
public final class PostgresStoreCopy {

    static final PostgresCopy.Tables TABLES = new PostgresCopy.Tables(
            "jobs",
            List.of(
                    "job",
                    "finished_job",
                    "submission",
                    "job_description",
                    "change",
                    "reader_cursor",
                    "door_record",
                    "store_number",
                    "job_group",
                    "job_group_template",
                    "group_element"),
            "store_migration",
            List.of());

    private PostgresStoreCopy() {}

    /**
     * Makes the copy.
     *
     * @param settings of a store in PostgreSQL
     * @param target must not be there yet; it is made for its owner alone
     * @throws IOException if it cannot be made; the file may be there then, and is of no use
     */
    public static void make(StoreSettings settings, Path target) throws IOException {
        try {
            PostgresCopy.make(
                    new PostgresServer(settings.url(), settings.user(), settings.passwordFile(), settings.timeout())
                            .source(),
                    TABLES,
                    target);
        } catch (SQLException | FaultException e) {
            throw new IOException("the jobs in PostgreSQL cannot be copied: " + Reason.of(e), e);
        }
    }

    /**
     * Puts a copy into the place of what is there, which is moved into a schema of its own, never deleted. No gateway may have the store open.
     *
     * @param now names that schema
     * @return what was done, in lines for people
     * @throws IOException if that cannot be done; then some of it may be done, and doing it again begins anew
     */
    public static List<String> restore(StoreSettings settings, Path copy, Instant now) throws IOException {
        try (PostgresDatabase database = new PostgresDatabase(settings);
                // holds the lock which keeps a gateway out
                Connection writer = database.openWriter()) {
            List<String> lines = new ArrayList<>(PostgresCopy.restore(writer, TABLES, database::migrateTo, copy, now));
            lines.add("The jobs in " + database.name() + " are those of the backup.");
            return lines;
        } catch (SQLException | FaultException e) {
            throw new IOException("the jobs in PostgreSQL cannot be put back: " + Reason.of(e), e);
        }
    }
}
