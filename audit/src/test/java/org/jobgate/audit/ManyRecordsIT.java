// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums over very many records of one month, by hand: {@code -Djobgate.audit.many=10000000} with a PostgreSQL ({@code scripts/postgres up}). The rows are
 * written as they are, without entries; the sums are made of them as a start that finds no sums makes them.
 */
@EnabledIfSystemProperty(named = "jobgate.audit.many", matches = "[0-9]+")
class ManyRecordsIT {

    private static final Logger LOG = LoggerFactory.getLogger(ManyRecordsIT.class);

    private static final YearMonth MONTH = YearMonth.of(2026, 10);
    private static final String PART = "audit_job_y2026m10";
    private static final int OWNERS = 1_000;
    private static final int REPEAT = 5;
    private static final long WANTED_MILLIS = 2_000;
    private static final int BATCH = 200_000;

    @TempDir
    private Path directory;

    @Test
    void usageOfAMonth() throws Exception {
        int records = Integer.getInteger("jobgate.audit.many");
        try (AuditPlace place = AuditPlace.postgres(directory)) {
            long begin = System.nanoTime();
            try (Connection writer = place.beside()) {
                PostgresMonths.make(writer, MONTH);
                fill(writer, records);
                LOG.info("{} rows are there after {} ms", records, (System.nanoTime() - begin) / 1_000_000);
                begin = System.nanoTime();
                AuditSums.makeAnew(place.database(), writer);
                LOG.info("their sums after {} ms", (System.nanoTime() - begin) / 1_000_000);
                try (Statement statement = writer.createStatement()) {
                    statement.execute("ANALYZE");
                    writer.commit();
                }
            }
            UsageReports reports = new UsageReports(place.database());
            Instant since = MONTH.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
            Instant until =
                    MONTH.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
            for (List<UsageReports.Key> by : List.of(
                    List.of(UsageReports.Key.USER, UsageReports.Key.MONTH),
                    List.of(UsageReports.Key.VO, UsageReports.Key.QUEUE),
                    List.of(UsageReports.Key.values()))) {
                long worst = 0;
                for (int i = 0; i < REPEAT; i++) {
                    begin = System.nanoTime();
                    List<Map<String, Object>> rows = by.size() > 2
                            ? reports.totals(by, "/DC=org/DC=example/CN=User 7", since, until, Set.of("LOST"))
                            : reports.totals(by, null, since, until, Set.of("LOST"));
                    long took = (System.nanoTime() - begin) / 1_000_000;
                    worst = Math.max(worst, took);
                    LOG.info("usage by {}: {} rows after {} ms", by, rows.size(), took);
                    if (by.size() == 2) {
                        assertThat(rows.stream()
                                        .mapToLong(row -> number(row, "jobs") + number(row, "uncharged"))
                                        .sum())
                                .isEqualTo(records);
                    }
                }
                assertThat(worst).isLessThanOrEqualTo(WANTED_MILLIS);
            }
            begin = System.nanoTime();
            reports.totals(
                    List.of(UsageReports.Key.USER),
                    null,
                    since.plusSeconds(40_000),
                    until.minusSeconds(40_000),
                    Set.of());
            LOG.info("usage of parts of days too: {} ms", (System.nanoTime() - begin) / 1_000_000);
            begin = System.nanoTime();
            LOG.info(
                    "APEL's sums of the month: {} after {} ms",
                    reports.month(MONTH, Set.of("LOST")).size(),
                    (System.nanoTime() - begin) / 1_000_000);
        }
    }

    private static long number(Map<String, Object> row, String name) {
        return (Long) requireNonNull(row.get(name));
    }

    /**
     * The server makes them by itself: some owners have many jobs, and many have some. The part of the month is filled before it belongs to the
     * table, as row by row ten million take half an hour; it gets its indices when it is attached, the same as every part has.
     */
    private static void fill(Connection writer, int records) throws SQLException {
        String bounds = text(
                writer, "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = to_regclass('" + PART + "')");
        execute(writer, "DROP TABLE " + PART);
        execute(writer, "CREATE TABLE " + PART + " (LIKE audit_job)");
        writer.commit();
        insert(writer, records);
        execute(writer, "SET maintenance_work_mem = '512MB'");
        execute(writer, "ALTER TABLE audit_job ATTACH PARTITION " + PART + " " + bounds);
        writer.commit();
        assertThat(indices(writer, PART)).isNotEqualTo("0").isEqualTo(indices(writer, "audit_job_rest"));
    }

    private static String indices(Connection writer, String part) throws SQLException {
        return text(
                writer, "SELECT count(*) FROM pg_index WHERE indisvalid AND indrelid = to_regclass('" + part + "')");
    }

    private static String text(Connection writer, String sql) throws SQLException {
        try (Statement statement = writer.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            assertThat(found.next()).isTrue();
            return found.getString(1);
        }
    }

    private static void execute(Connection writer, String sql) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void insert(Connection writer, int records) throws SQLException {
        long from = MONTH.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        long step = MONTH.lengthOfMonth() * UsageShare.DAY / records;
        for (int first = 0; first < records; first += BATCH) {
            try (PreparedStatement insert = writer.prepareStatement(
                    "INSERT INTO " + PART
                            + " (job, grid_id, door, language, subject, account, lrm, created, version, queue, vo, fqans,"
                            + " ended, outcome, fault, wall_ms, cpu_ms, slots) SELECT lpad(to_hex(at >> 16), 8, '0') || '-' ||"
                            + " lpad(to_hex(at & 65535), 4, '0') || '-7000-8000-' || lpad(i::text, 12, '0'), i::text,"
                            + " CASE WHEN random() < 0.3 THEN 'rest' ELSE 'gram' END, 'jdd', '/DC=org/DC=example/CN=User ' || owner,"
                            + " 'pool' || owner, CASE WHEN owner % 2 = 0 THEN 'Slurm' ELSE 'Condor' END, at, '1',"
                            + " CASE WHEN random() < 0.5 THEN 'short' ELSE 'long' END, 'vo' || owner % 8,"
                            + " '/vo' || owner % 8 || CASE WHEN random() < 0.25 THEN '/Role=production' ELSE '/Role=NULL' END, at,"
                            + " CASE WHEN failed < 0.05 THEN 'FAILED' ELSE 'DONE' END,"
                            + " CASE WHEN failed < 0.02 THEN 'LOST' WHEN failed < 0.05 THEN 'EXIT' END, wall, wall,"
                            + " (ARRAY[1, 2, 4])[1 + floor(random() * 3)::int] FROM (SELECT i, ? + i * ? AS at,"
                            + " floor(power(random(), 2) * " + OWNERS + ")::int AS owner, random() AS failed,"
                            + " 1 + floor(random() * 36000000)::bigint AS wall FROM generate_series(?::bigint, ?) AS i) AS jobs")) {
                insert.setLong(1, from);
                insert.setLong(2, step);
                insert.setLong(3, first);
                insert.setLong(4, Math.min(records, first + BATCH) - 1L);
                insert.executeUpdate();
                writer.commit();
            }
        }
    }
}
