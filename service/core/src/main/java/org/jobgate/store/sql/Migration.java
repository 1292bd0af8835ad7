// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Brings the tables to the form this version needs: the numbered scripts under {@code db/migration/store}, and the rewriting of what is stored as JSON. */
final class Migration {

    private Migration() {}

    static void run(DataSource source, String store, Map<String, String> dialect) {
        try {
            Flyway.configure()
                    .dataSource(source)
                    .locations("classpath:db/migration/store")
                    .table("store_migration")
                    .placeholders(dialect)
                    .javaMigrations(new TypedOptionsMigration(), new NamedCredentialsMigration())
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The tables of the store " + store + " cannot be brought up to date: " + e.getMessage(),
                            "If an older version of Jobgate was started on a newer store, start the newer version; else see"
                                    + " docs/operate/recovering.md."),
                    e);
        }
    }
}
