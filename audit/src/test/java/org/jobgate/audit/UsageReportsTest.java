// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.groups.Tuple;
import org.jobgate.audit.usage.Apel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Sums of what jobs used. */
class UsageReportsTest {

    private static final Instant OCTOBER = Instant.parse("2026-10-31T23:59:59.999Z");
    private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir
    Path directory;

    private AuditPlace place;

    private AuditDatabase database;
    private AuditLog log;
    private UsageReports reports;
    private int number;

    @BeforeEach
    void open() throws Exception {
        place = place(directory);
        database = place.database();
        log = new AuditLog(database, directory.resolve("audit.head"));
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
        String id = String.format("01a21510-0000-7000-8000-%012d", ++number);
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("grid_id", "g" + id);
        body.put("door", "gram");
        body.put("language", "jdd");
        body.put("subject", subject);
        body.put("account", "alice");
        body.put("lrm", lrm);
        body.put("created", 0);
        body.put("version", "1");
        body.put("queue", queue);
        body.put("ended", ended == null ? null : ended.toEpochMilli());
        body.put("outcome", outcome);
        body.put("fault", fault);
        body.put("wall_ms", wall);
        body.put("cpu_ms", cpu);
        body.put("slots", slots);
        body.values().removeIf(value -> value == null);
        log.write(
                List.of(new AuditLog.News(
                        number,
                        id,
                        0,
                        AuditEntry.Kind.CREATED,
                        JsonMapper.builder().build().writeValueAsString(body))),
                number);
    }

    @AfterEach
    void close() throws SQLException {
        log.close();
        place.close();
    }

    /** Where the records are; {@link PostgresAuditIT} has them elsewhere. */
    AuditPlace place(Path where) throws Exception {
        return AuditPlace.file(where);
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
        try (Connection writer = place.beside();
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
        entry(101, 1, "CREATED", a);
        entry(102, 1, "ENDED", a);
        entry(103, 3, "ENDED", a);
        entry(104, 1, "ENDED", a);
        entry(105, 1, "USED", a);
        entry(106, 2, "ENDED", a);

        assertThat(recorded(Instant.EPOCH, null)).containsExactly("102a 1", "103a 3");
        assertThat(recorded(Instant.EPOCH, "103-" + a)).containsExactly("106a 2");
        assertThat(recorded(Instant.EPOCH, "106-" + a)).isEmpty();
        assertThat(recorded(NOVEMBER.plusSeconds(1), null)).containsExactly("103a 3");
        for (String other : List.of("103-" + "b".repeat(64), "107-" + a, "3", "", "103-" + a + "'")) {
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
                        tuple("A", "2026-10", 1L, 1000L, 1000L, 900L, 0L, 0L),
                        tuple("A", "2026-11", 2L, 6000L, 8000L, 3000L, 1L, 1L),
                        tuple("B'); DROP TABLE audit_job; --", "2026-11", 1L, 100L, 100L, 50L, 0L, 0L));
    }

    @Test
    void withoutKeysThereIsOneSumAndWithoutJobsNone() throws Exception {
        assertThat(reports.totals(List.of(), null, Instant.EPOCH, FAR, Set.of()))
                .isEmpty();
        some();
        assertThat(reports.totals(List.of(), "A", Instant.EPOCH, FAR, Set.of()))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("jobs", 4L)
                        .containsEntry("done", 2L)
                        .containsEntry("failed", 1L)
                        .containsEntry("cancelled", 1L)
                        .containsEntry("cpu_ms", 8900L));
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
                .containsExactly(
                        tuple("A", 5L, 2 * (long) UsageShare.MOST + 13_000),
                        tuple("B'); DROP TABLE audit_job; --", 1L, 100L));
        assertThat(reports.month(YearMonth.of(2026, 11), Set.of()))
                .extracting(Apel.Sum::jobs, Apel.Sum::wallMillis)
                .contains(tuple(2L, 2 * (long) UsageShare.MOST), tuple(1L, 100L));
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

    private List<Tuple> all(Instant since, Instant until) {
        return reports
                .totals(
                        List.of(UsageReports.Key.USER, UsageReports.Key.MONTH),
                        null,
                        since,
                        until,
                        Set.of("NODE_FAILED"))
                .stream()
                .map(row -> tuple(
                        row.get("user"),
                        row.get("month"),
                        row.get("jobs"),
                        row.get("slot_ms"),
                        row.get("cpu_ms"),
                        row.get("uncharged"),
                        row.get("unmeasured")))
                .toList();
    }

    /** Whole days come from sums, the rest from rows: both must say the same, wherever a time is cut. */
    @Test
    void partsOfDaysAndWholeDaysMakeTheSameSums() throws Exception {
        some();
        List<Tuple> whole = all(Instant.EPOCH, FAR);
        assertThat(all(OCTOBER, NOVEMBER.plusSeconds(4)))
                .as("the last millisecond of one day, and seconds of the next")
                .isEqualTo(whole);
        assertThat(all(NOVEMBER.minusSeconds(86_400), NOVEMBER.plusMillis(3001)))
                .isEqualTo(whole);
        assertThat(all(NOVEMBER, NOVEMBER.plusSeconds(2)))
                .containsExactly(tuple("A", "2026-11", 1L, 4000L, 3000L, 1L, 0L));
    }

    @Test
    void whatIsToldLaterTakesThePlaceOfWhatWasAddedBefore() throws Exception {
        some();
        job("A", "Slurm", "main", NOVEMBER, "DONE", null, 7000L, null, 1);
        String id = String.format("01a21510-0000-7000-8000-%012d", number);
        for (int cpu : new int[] {100, 6000}) {
            log.write(
                    List.of(new AuditLog.News(
                            0,
                            id,
                            1,
                            AuditEntry.Kind.USED,
                            "{\"cpu_ms\":" + cpu + ",\"wall_ms\":5000,\"slots\":3,\"queue\":\"other\"}")),
                    number);
        }
        assertThat(reports.totals(List.of(UsageReports.Key.QUEUE), "A", NOVEMBER, FAR, Set.of("NODE_FAILED")))
                .extracting(
                        row -> row.get("queue"),
                        row -> row.get("jobs"),
                        row -> row.get("slot_ms"),
                        row -> row.get("cpu_ms"),
                        row -> row.get("unmeasured"))
                .containsExactly(
                        tuple("", 1L, 4000L, 0L, 1L),
                        tuple("main", 1L, 4000L, 3000L, 0L),
                        tuple("other", 1L, 15_000L, 6000L, 0L));
        log.saveHead();
        assertThat(AuditVerifier.verify(database, directory.resolve("audit.head"))
                        .fault())
                .isNull();
    }

    /** Sums of numbers that cannot be are too large to be exact; they hide nothing once they were put right, and are no tampering before. */
    @Test
    void sumsAreExactAgainWhenNumbersThatCannotBeWerePutRight() throws Exception {
        for (int i = 0; i < 5; i++) {
            job("A", "Slurm", "main", NOVEMBER, "DONE", null, 1L + 2L * i, 3L, 1);
        }
        for (int i = 0; i < 5; i++) {
            job("A", "Slurm", "main", NOVEMBER, "DONE", null, Long.MAX_VALUE, Long.MAX_VALUE, 1);
        }
        log.saveHead();
        assertThat(AuditVerifier.verify(database, directory.resolve("audit.head"))
                        .fault())
                .isNull();
        for (long i = number; i > number - 5; i--) {
            log.write(
                    List.of(new AuditLog.News(
                            0,
                            String.format("01a21510-0000-7000-8000-%012d", i),
                            1,
                            AuditEntry.Kind.USED,
                            "{\"cpu_ms\":7,\"wall_ms\":11}")),
                    number);
        }
        assertThat(all(Instant.EPOCH, FAR)).containsExactly(tuple("A", "2026-11", 10L, 80L, 50L, 0L, 0L));
        log.saveHead();
        assertThat(AuditVerifier.verify(database, directory.resolve("audit.head"))
                        .fault())
                .isNull();
    }

    @Test
    void aChangedSumIsFound() throws Exception {
        some();
        log.saveHead();
        log.close();
        try (Connection writer = database.writer();
                Statement statement = writer.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE audit_day SET cpu_ms = cpu_ms - 1 WHERE cpu_ms = 3000"))
                    .isEqualTo(1);
            writer.commit();
        }
        assertThat(AuditVerifier.verify(database, directory.resolve("audit.head"))
                        .fault())
                .isEqualTo("The sum of day 2026-11-01 and owner A is not what the rows of jobs make.");
    }
}
