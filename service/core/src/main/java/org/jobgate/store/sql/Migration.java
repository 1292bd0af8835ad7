// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Brings the tables to the form this version needs: the numbered scripts under {@code db/migration/store}, and the rewriting of what is stored as JSON. */
final class Migration {

    private Migration() {}

    static void run(DataSource source, String store, Map<String, String> dialect) {
        migrate(configuration(source, dialect), store);
    }

    /** Makes the tables as a version has them, where there are none of them. Other tables may be there. */
    static void anew(DataSource source, String store, Map<String, String> dialect, String version) {
        migrate(
                configuration(source, dialect)
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .target(version),
                store);
    }

    private static FluentConfiguration configuration(DataSource source, Map<String, String> dialect) {
        return Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration/store")
                .table("store_migration")
                .placeholders(dialect)
                .javaMigrations(new TypedOptionsMigration(), new NamedCredentialsMigration());
    }

    private static void migrate(FluentConfiguration configuration, String store) {
        try {
            configuration.load().migrate();
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
