// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The parts of tables while others read them. Needs a PostgreSQL: {@code eval "$(scripts/postgres up)"}. */
class PostgresMonthsIT {

    private static final long IN_MAY = Instant.parse("2031-05-15T00:00:00Z").toEpochMilli();

    @TempDir
    private Path directory;

    private static boolean isThere(Connection connection, String part) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT to_regclass('" + part + "') IS NOT NULL")) {
            found.next();
            return found.getBoolean(1);
        } finally {
            connection.rollback();
        }
    }

    @Test
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.MINUTES)
    void whoReadsForLongHoldsUpNobodyWhoWritesAndThePartsAreMadeLater() throws Exception {
        PostgresMonths months = new PostgresMonths();
        try (AuditPlace place = AuditPlace.postgres(directory);
                Connection writer = place.database().writer()) {
            try (Connection backup = place.beside();
                    Statement reading = backup.createStatement()) {
                reading.execute("SELECT count(*) FROM audit_job");
                months.keepUp(writer, IN_MAY);
                assertThat(isThere(writer, "audit_job_y2031m05")).isFalse();
                assertThat(isThere(writer, "audit_job_y2031m06")).isFalse();
                backup.rollback();
            }
            months.keepUp(writer, IN_MAY);
            assertThat(isThere(writer, "audit_entry_y2031m05")).isTrue();
            assertThat(isThere(writer, "audit_job_y2031m05")).isTrue();
            assertThat(isThere(writer, "audit_job_y2031m06")).isTrue();
        }
    }
}
