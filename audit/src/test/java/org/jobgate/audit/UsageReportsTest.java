// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.audit.usage.Apel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of what jobs used. */
class UsageReportsTest {

    private static final Instant OCTOBER = Instant.parse("2026-10-31T23:59:59.999Z");
    private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    private AuditDatabase database;
    private UsageReports reports;
    private int number;

    @BeforeEach
    void open() {
        database = AuditDatabase.open(directory.resolve("audit.db"));
        reports = new UsageReports(database);
    }

    private void job(
            String subject,
            String lrm,
            @Nullable String queue,
            @Nullable Instant ended,
            @Nullable String outcome,
            @Nullable String fault,
            @Nullable Long wall,
            @Nullable Long cpu,
            @Nullable Integer slots)
            throws SQLException {
        try (Connection writer = database.writer();
                PreparedStatement insert = writer.prepareStatement(
                        "INSERT INTO audit_job (job, grid_id, door, language, subject, account, lrm, created, version, queue, ended,"
                                + " outcome, fault, wall_ms, cpu_ms, slots) VALUES (?, ?, 'gram', 'jdd', ?, 'alice', ?, 0, '1', ?, ?, ?, ?, ?,"
                                + " ?, ?)")) {
            String id = String.format("01a21510-0000-7000-8000-%012d", ++number);
            @Nullable
            Object[] values = {
                id,
                "g" + id,
                subject,
                lrm,
                queue,
                ended == null ? null : ended.toEpochMilli(),
                outcome,
                fault,
                wall,
                cpu,
                slots
            };
            for (int i = 0; i < values.length; i++) {
                insert.setObject(i + 1, values[i]);
            }
            insert.executeUpdate();
            writer.commit();
        }
    }

    private void some() throws SQLException {
        job("A", "Slurm", "main", OCTOBER, "DONE", null, 1000L, 900L, 1);
        job("A", "Slurm", "main", NOVEMBER, "DONE", null, 2000L, 3000L, 2);
        job("A", "Slurm", "main", NOVEMBER.plusSeconds(1), "FAILED", "NODE_FAILED", 5000L, 5000L, 1);
        job("A", "Fork", null, NOVEMBER.plusSeconds(2), "CANCELLED", "CANCELLED_BY_USER", 4000L, null, null);
        job("B'); DROP TABLE audit_job; --", "Slurm", "main", NOVEMBER.plusSeconds(3), "DONE", null, 100L, 50L, 1);
        job("A", "Slurm", "main", null, null, null, null, null, null);
    }

    private void entry(int number, int job, String kind, String hash) throws SQLException {
        try (Connection writer = database.writer();
                PreparedStatement insert = writer.prepareStatement(
                        "INSERT INTO audit_entry (number, change, job, at, kind, body, hash) VALUES (?, 0, ?, 0, ?, '{}', ?)")) {
            insert.setInt(1, number);
            insert.setString(2, String.format("01a21510-0000-7000-8000-%012d", job));
            insert.setString(3, kind);
            insert.setString(4, hash);
            insert.executeUpdate();
            writer.commit();
        }
    }

    private List<String> recorded(Instant since, @Nullable String after) {
        return reports.recorded(since, after, 2).stream()
                .map(row -> UsageReports.entry(row).replaceFirst("([0-9]+)-(.).*", "$1$2") + " "
                        + String.valueOf(row.get("job")).substring(35))
                .toList();
    }

    /** The second ended first and was recorded last; the first was recorded twice. */
    @Test
    void whoGoesOnBehindAnEntryGetsEachJobOnceHoweverLateItsEndCame() throws Exception {
        job("A", "Slurm", "main", NOVEMBER, "DONE", null, 1L, 1L, 1);
        job("A", "Slurm", "main", OCTOBER, "DONE", null, 1L, 1L, 1);
        job("A", "Slurm", "main", NOVEMBER.plusSeconds(9), "DONE", null, 1L, 1L, 1);
        String a = "a".repeat(64);
        entry(1, 1, "CREATED", a);
        entry(2, 1, "ENDED", a);
        entry(3, 3, "ENDED", a);
        entry(4, 1, "ENDED", a);
        entry(5, 1, "USED", a);
        entry(6, 2, "ENDED", a);

        assertThat(recorded(Instant.EPOCH, null)).containsExactly("2a 1", "3a 3");
        assertThat(recorded(Instant.EPOCH, "3-" + a)).containsExactly("6a 2");
        assertThat(recorded(Instant.EPOCH, "6-" + a)).isEmpty();
        assertThat(recorded(NOVEMBER.plusSeconds(1), null)).containsExactly("3a 3");
        for (String other : List.of("3-" + "b".repeat(64), "7-" + a, "3", "", "3-" + a + "'")) {
            assertThatThrownBy(() -> recorded(Instant.EPOCH, other)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void jobsAreAddedUpByUserAndMonthOfTheirEnd() throws Exception {
        some();
        assertThat(reports.totals(
                        List.of(UsageReports.Key.USER, UsageReports.Key.MONTH),
                        null,
                        Instant.EPOCH,
                        FAR,
                        Set.of("NODE_FAILED")))
                .extracting(
                        row -> row.get("user"),
                        row -> row.get("month"),
                        row -> row.get("jobs"),
                        row -> row.get("wall_ms"),
                        row -> row.get("slot_ms"),
                        row -> row.get("cpu_ms"),
                        row -> row.get("uncharged"),
                        row -> row.get("unmeasured"))
                .containsExactly(
                        tuple("A", "2026-10", 1, 1000, 1000, 900, 0, 0),
                        tuple("A", "2026-11", 2, 6000, 8000, 3000, 1, 1),
                        tuple("B'); DROP TABLE audit_job; --", "2026-11", 1, 100, 100, 50, 0, 0));
    }

    @Test
    void withoutKeysThereIsOneSumAndWithoutJobsNone() throws Exception {
        assertThat(reports.totals(List.of(), null, Instant.EPOCH, FAR, Set.of()))
                .isEmpty();
        some();
        assertThat(reports.totals(List.of(), "A", Instant.EPOCH, FAR, Set.of()))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("jobs", 4)
                        .containsEntry("done", 2)
                        .containsEntry("failed", 1)
                        .containsEntry("cancelled", 1)
                        .containsEntry("cpu_ms", 8900));
    }

    /** Records of before may have any number, and one job's must not hide those of all others. */
    @Test
    void numbersThatCannotBeDoNotHinderTheSums() throws Exception {
        some();
        for (int i = 0; i < 2; i++) {
            job("A", "Slurm", "main", NOVEMBER, "DONE", null, Long.MAX_VALUE, Long.MAX_VALUE, 10_000_000);
        }
        assertThat(reports.totals(
                        List.of(UsageReports.Key.USER, UsageReports.Key.MONTH), null, NOVEMBER, FAR, Set.of()))
                .extracting(row -> row.get("user"), row -> row.get("jobs"), row -> row.get("slot_ms"))
                .containsExactly(tuple("A", 5, Long.MAX_VALUE), tuple("B'); DROP TABLE audit_job; --", 1, 100));
        assertThat(reports.month(YearMonth.of(2026, 11), Set.of()))
                .extracting(Apel.Sum::jobs, Apel.Sum::wallMillis)
                .contains(tuple(2L, Long.MAX_VALUE), tuple(1L, 100L));
    }

    @Test
    void aMonthIsAddedUpForApel() throws Exception {
        some();
        assertThat(reports.month(YearMonth.of(2026, 11), Set.of("NODE_FAILED")))
                .extracting(
                        Apel.Sum::subject,
                        Apel.Sum::lrm,
                        Apel.Sum::queue,
                        Apel.Sum::slots,
                        Apel.Sum::jobs,
                        Apel.Sum::wallMillis)
                .containsExactly(
                        tuple("A", "Fork", null, 1, 1L, 4000L),
                        tuple("A", "Slurm", "main", 2, 1L, 2000L),
                        tuple("B'); DROP TABLE audit_job; --", "Slurm", "main", 1, 1L, 100L));
    }

    @Test
    void jobsThatHaveEndedAreListedAPageAtATimeOnceEach() throws Exception {
        some();
        for (int i = 0; i < 5; i++) {
            job("C", "Fork", null, NOVEMBER.plusSeconds(3), "DONE", null, 1L, 1L, 1);
        }
        List<Object> seen = new ArrayList<>();
        @Nullable String after = null;
        while (true) {
            List<Map<String, Object>> page = reports.ended(NOVEMBER, FAR, after, 3);
            if (page.isEmpty()) {
                break;
            }
            page.forEach(row -> seen.add(row.get("job")));
            after = UsageReports.place(page.getLast());
        }
        assertThat(seen).hasSize(9).doesNotHaveDuplicates();
        assertThatThrownBy(() -> reports.ended(NOVEMBER, FAR, "'; --", 3)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The descriptions of a million jobs are a gigabyte: sums must not read them. */
    @Test
    void sumsAreReadFromAnIndexAlone() throws Exception {
        try (Connection reader = database.reader();
                Statement statement = reader.createStatement();
                ResultSet plan = statement.executeQuery(
                        "EXPLAIN QUERY PLAN SELECT subject, sum(charged), sum(CASE WHEN charged THEN wall_ms * max(COALESCE(slots, 1), 1) END),"
                                + " sum(cpu_ms), sum(outcome = 'DONE') FROM (SELECT *, (fault IS NULL OR fault NOT IN ('LOST')) AS charged FROM"
                                + " audit_job WHERE ended >= 1 AND ended < 2) GROUP BY 1")) {
            StringBuilder text = new StringBuilder();
            while (plan.next()) {
                text.append(plan.getString("detail")).append('\n');
            }
            assertThat(text).contains("USING COVERING INDEX audit_job_usage");
        }
    }
}
