// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.SQLException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/** Adds up the jobs that were recorded before there were sums. */
final class SumsMigration implements JavaMigration {

    private static final String VERSION = "5";

    private final AuditDatabase database;

    SumsMigration(AuditDatabase database) {
        this.database = database;
    }

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion(VERSION);
    }

    @Override
    public String getDescription() {
        return "sums of jobs on record";
    }

    @Override
    public Integer getChecksum() {
        return Integer.valueOf(VERSION);
    }

    @Override
    public boolean canExecuteInTransaction() {
        return true;
    }

    @Override
    public void migrate(Context context) throws SQLException {
        AuditSums.addRows(database, context.getConnection());
    }
}
