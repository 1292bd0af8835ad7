// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobState;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Records of what nobody should send, and of clocks and files that are not as they should be. */
class AuditBadInputTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NASTY =
            "'); DROP TABLE audit_job; -- \" \\ %s ${x} <a>&amp;\u007f\t\r\n żółć 日本 \uD83D\uDE00 \u202e\u0001";
    private static final List<String> ONE_OF_FEW = List.of("outcome", "measured_by");

    @TempDir
    Path directory;

    private AuditPlace place;
    private JobStore store;
    private final SampleJobs samples = new SampleJobs(8);

    @BeforeEach
    void open() throws Exception {
        place = place(directory);
        store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        place.close();
    }

    /** Where the records are; {@link PostgresAuditIT} has them elsewhere. */
    AuditPlace place(Path where) throws Exception {
        return AuditPlace.file(where);
    }

    private Audit started() {
        Audit made = new Audit(
                store,
                new AuditSettings(
                        place.store(),
                        directory,
                        "https://gw.example.org/" + NASTY,
                        NASTY,
                        description -> NASTY,
                        job -> Optional.empty(),
                        AuditKeeping.FOR_EVER));
        made.start(List.of());
        return made;
    }

    private AuditVerifier.Finding verified() throws Exception {
        return AuditVerifier.verify(place.database(), directory.resolve("audit.head"));
    }

    private List<Map<String, Object>> rows() throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Connection reader = place.database().reader();
                Statement statement = reader.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM audit_job ORDER BY job")) {
            while (found.next()) {
                rows.add(AuditLog.row(found));
            }
        }
        return rows;
    }

    private static boolean isText(String column) {
        return !ONE_OF_FEW.contains(column)
                && !column.matches(
                        ".*(_ms|_kib|_code)|created|queued|started|ended|signal|slots|stage_in|stage_out|clean_up"
                                + "|files_.*|bytes_.*|transfer_.*");
    }

    @Test
    void unicodeAndSqlInEveryFieldAreTextLikeAnyOther() throws Exception {
        Map<String, Object> first = new LinkedHashMap<>();
        Map<String, Object> last = new LinkedHashMap<>();
        for (String column : AuditRow.COLUMNS) {
            (AuditRow.LATER_COLUMNS.contains(column) ? last : first)
                    .put(column, isText(column) ? column + NASTY : (Object) 5L);
        }
        last.put("outcome", "DONE");
        last.put("measured_by", "LRM");
        JsonMapper json = new JsonMapper();
        String id = "01a21510-0000-7000-8000-000000000001";
        try (AuditLog log = new AuditLog(place.database(), directory.resolve("audit.head"))) {
            log.write(List.of(new AuditLog.News(1, id, 5, AuditEntry.Kind.CREATED, json.writeValueAsString(first))), 1);
            log.write(List.of(new AuditLog.News(2, id, 6, AuditEntry.Kind.ENDED, json.writeValueAsString(last))), 2);
            log.saveHead();
        }
        first.putAll(last);
        assertThat(rows()).singleElement().satisfies(row -> assertThat(row).containsAllEntriesOf(first));
        assertThat(verified().fault()).isNull();
        UsageReports reports = new UsageReports(place.database());
        assertThat(reports.totals(
                        List.of(UsageReports.Key.values()),
                        (String) first.get("subject"),
                        Instant.EPOCH,
                        Instant.ofEpochMilli(1000),
                        Set.of(NASTY)))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("account", first.get("account"))
                        .containsEntry("vo", first.get("vo"))
                        .containsEntry("queue", first.get("queue"))
                        .containsEntry("jobs", 1L));
        assertThat(reports.totals(
                        List.of(UsageReports.Key.USER), NASTY, Instant.EPOCH, Instant.ofEpochMilli(1000), Set.of()))
                .isEmpty();
    }

    @Test
    void aClockThatGoesBackLosesNothingAndDoublesNothing() throws Exception {
        int jobs = 20;
        try (Audit audit = started()) {
            Instant now = Instant.now();
            for (int i = 0; i < jobs; i++) {
                Job job = samples.job(SampleJobs.ALICE, "back " + i, "Fork", "alice");
                store.create(SampleJobs.newJob(job)).join();
                // each change is told as an hour before the one before it
                store.update(
                                job.id(),
                                SampleJobs.event(
                                        JobEvent.LRM_ACCEPTED,
                                        JobState.PENDING,
                                        now.minus(Duration.ofHours(2L * i + 1))))
                        .join();
                store.update(job.id(), SampleJobs.finish(now.minus(Duration.ofHours(2L * i + 2))))
                        .join();
            }
            await().atMost(PATIENCE).until(() -> audit.lag() == 0 && Files.exists(directory.resolve("audit.head")));
        }
        assertThat(rows()).hasSize(jobs).allSatisfy(row -> assertThat(row).containsKeys("queued", "ended", "outcome"));
        assertThat(verified().fault()).isNull();
        assertThat(new UsageReports(place.database())
                        .totals(
                                List.of(UsageReports.Key.USER),
                                null,
                                Instant.EPOCH,
                                Instant.parse("2100-01-01T00:00:00Z"),
                                Set.of()))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("jobs", (long) jobs));
    }

    /** The file that names the end, cut short or overwritten. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1 ", " ", "x y", "99999999999999999999 a", "-1 a", "1 \uFFFD\uFFFD"})
    void ofAFileOfTheEndThatIsHalfWrittenIsSaidSoAndJobsAreRecordedOn(String half) throws Exception {
        try (Audit audit = started()) {
            finished("before");
            await().atMost(PATIENCE).until(() -> audit.lag() == 0 && Files.exists(directory.resolve("audit.head")));
        }
        Files.writeString(directory.resolve("audit.head"), half);
        try (Audit audit = started()) {
            finished("after");
            await().atMost(PATIENCE).until(() -> audit.lag() == 0);
            await().atMost(PATIENCE).until(() -> audit.damage().isPresent());
        }
        assertThat(rows()).hasSize(2);
        assertThat(verified().fault()).isNotNull();
    }

    /** A part of one transaction on disk is none of it: the other part follows. */
    @Test
    void aWriterThatDiesInTheMiddleLeavesNothing() throws Exception {
        try (Audit audit = started()) {
            finished("before");
            await().atMost(PATIENCE).until(() -> audit.lag() == 0 && Files.exists(directory.resolve("audit.head")));
        }
        Connection dying = place.beside();
        try (Statement statement = dying.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO audit_entry (number, change, job, at, kind, body, hash)"
                            + " SELECT number + 1, change, job, at, kind, body, hash FROM audit_entry ORDER BY number DESC LIMIT 1");
            statement.executeUpdate("UPDATE audit_job SET outcome = NULL");
        }
        dying.close();
        try (Audit audit = started()) {
            finished("after");
            await().atMost(PATIENCE).until(() -> audit.lag() == 0);
        }
        assertThat(rows()).hasSize(2).allSatisfy(row -> assertThat(row).containsEntry("outcome", "DONE"));
        assertThat(verified().fault()).isNull();
    }

    private void finished(String clientId) {
        Job job = samples.job(SampleJobs.ALICE, clientId, "Fork", "alice");
        store.create(SampleJobs.newJob(job)).join();
        store.update(job.id(), SampleJobs.finish(Instant.now())).join();
    }
}
