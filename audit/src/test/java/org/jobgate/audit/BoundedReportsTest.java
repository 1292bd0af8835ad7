// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which questions about use may take a minute only. */
class BoundedReportsTest {

    private static final Instant FAR = Instant.parse("2099-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    /** Counts the questions that are bounded. */
    private static final class Counting extends AuditDatabase {
        private final AuditDatabase file;
        private final AtomicInteger bounded = new AtomicInteger();

        Counting(AuditDatabase file) {
            this.file = file;
        }

        @Override
        void bound(Statement statement) {
            bounded.incrementAndGet();
        }

        @Override
        Connection writer() throws SQLException {
            return file.writer();
        }

        @Override
        Connection reader() throws SQLException {
            return file.reader();
        }

        @Override
        boolean isTooLong(SQLException e) {
            return file.isTooLong(e);
        }

        @Override
        long bytes() {
            return file.bytes();
        }

        @Override
        String name() {
            return file.name();
        }

        @Override
        String text(String text) {
            return file.text(text);
        }

        @Override
        String position(String text, String part) {
            return file.position(text, part);
        }

        @Override
        void keepUp(Connection writer, long now) throws SQLException {
            file.keepUp(writer, now);
        }

        @Override
        public void close() {
            file.close();
        }
    }

    @Test
    void sumsForWhoeverWaitsAreBoundedAndTheExportOfRecordsIsNot() {
        try (Counting database = new Counting(AuditDatabase.open(AuditStore.FILE, directory))) {
            UsageReports reports = new UsageReports(database);
            reports.recorded(Instant.EPOCH, null, 10);
            reports.ended(Instant.EPOCH, FAR, null, 10);
            reports.month(YearMonth.of(2026, 11), Set.of());
            assertThat(database.bounded).hasValue(0);
            reports.totals(List.of(UsageReports.Key.USER), null, Instant.EPOCH, FAR, Set.of());
            assertThat(database.bounded).hasValue(1);
        }
    }
}
