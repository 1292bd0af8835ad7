// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is too old is taken out, or loses its names, and the chain can still be followed. */
class AuditKeepingTest {

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long NOW = 100 * DAY;
    private static final AuditKeeping THIRTY_DAYS = new AuditKeeping(Duration.ofDays(30), null);
    private static final AuditKeeping NAMES_FOR_TEN = new AuditKeeping(null, Duration.ofDays(10));

    @TempDir
    Path directory;

    private AuditPlace place;

    private AuditDatabase database;
    private AuditLog log;
    private long change;

    @BeforeEach
    void open() throws Exception {
        place = place(directory);
        database = place.database();
        log = new AuditLog(database, directory.resolve("audit.head"));
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

    private void say(AuditEntry.Kind kind, String job, long at, String body) throws SQLException {
        change++;
        log.write(List.of(new AuditLog.News(change, job, at, kind, body)), change);
    }

    private void created(String job, String subject, long at) throws SQLException {
        say(
                AuditEntry.Kind.CREATED,
                job,
                at,
                "{\"grid_id\":\"" + job + "\",\"door\":\"d\",\"language\":\"l\",\"subject\":\"" + subject
                        + "\",\"account\":\"alice\",\"client_id\":\"Alice's own\",\"lrm\":\"Fork\",\"created\":" + at
                        + ",\"description\":\"/home/Alice\",\"version\":\"1\"}");
    }

    private void ended(String job, long at) throws SQLException {
        say(
                AuditEntry.Kind.ENDED,
                job,
                at,
                "{\"outcome\":\"DONE\",\"ended\":" + at + ",\"wall_ms\":5,\"sentence\":\"of Alice\"}");
    }

    private int purge(AuditKeeping keeping, long now) throws Exception {
        log.saveHead();
        int batches = 0;
        while (log.purge(keeping, now)) {
            log.saveHead();
            batches++;
        }
        return batches;
    }

    private @Nullable String fault() throws Exception {
        log.saveHead();
        return AuditVerifier.verify(database, directory.resolve("audit.head")).fault();
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection reader = database.reader();
                Statement statement = reader.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                texts.add(found.getString(1));
            }
        }
        return texts;
    }

    private void tamper(String sql) throws SQLException {
        log.close();
        try (Connection writer = database.writer();
                Statement statement = writer.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
            writer.commit();
        }
    }

    private void oldAndNew() throws SQLException {
        created("a-old", "/CN=Alice", NOW - 90 * DAY);
        created("b-live", "/CN=Bob", NOW - 90 * DAY);
        ended("a-old", NOW - 89 * DAY);
        created("c-long", "/CN=Carol", NOW - 60 * DAY);
        created("d-new", "/CN=Alice", NOW - 2 * DAY);
        ended("c-long", NOW - 2 * DAY);
        ended("d-new", NOW - DAY);
        created("e-last", "/CN=Alice", NOW);
    }

    @Test
    void whatIsTooOldGoesAndWhatIsAliveOrEndedLaterStays() throws Exception {
        oldAndNew();
        assertThat(purge(THIRTY_DAYS, NOW)).isEqualTo(1);
        assertThat(texts("SELECT job FROM audit_job ORDER BY job"))
                .containsExactly("b-live", "c-long", "d-new", "e-last");
        assertThat(texts("SELECT job FROM audit_entry WHERE job = 'a-old'")).isEmpty();
        assertThat(texts("SELECT subject FROM audit_job WHERE job = 'b-live'")).containsExactly("/CN=Bob");
        assertThat(fault()).isNull();
        ended("b-live", NOW);
        assertThat(fault()).isNull();
        assertThat(texts("SELECT outcome FROM audit_job WHERE job = 'b-live'")).containsExactly("DONE");
        assertThat(purge(THIRTY_DAYS, NOW)).as("nothing more is due").isZero();
        assertThat(purge(THIRTY_DAYS, NOW + 29 * DAY)).isPositive();
        assertThat(fault()).isNull();
        assertThat(purge(THIRTY_DAYS, NOW + 65 * DAY)).isPositive();
        assertThat(purge(THIRTY_DAYS, NOW + 100 * DAY)).isPositive();
        assertThat(texts("SELECT job FROM audit_job")).containsExactly("e-last");
        assertThat(fault()).isNull();
    }

    @Test
    void namesBecomePseudonymsThatAreTheSameForTheSamePerson() throws Exception {
        created("a", "/CN=Alice", NOW - 50 * DAY);
        ended("a", NOW - 50 * DAY);
        created("b", "/CN=Alice", NOW - 40 * DAY);
        ended("b", NOW - 40 * DAY);
        created("c", "/CN=Bob", NOW - 40 * DAY);
        ended("c", NOW - 40 * DAY);
        created("last", "/CN=Dora", NOW);
        assertThat(purge(NAMES_FOR_TEN, NOW)).isPositive();
        List<String> subjects = texts("SELECT subject FROM audit_job WHERE job <> 'last' ORDER BY job");
        assertThat(subjects).hasSize(3).allMatch(subject -> subject.matches("pseudonym-[0-9a-f]{16}"));
        assertThat(subjects.get(0)).isEqualTo(subjects.get(1)).isNotEqualTo(subjects.get(2));
        assertThat(texts("SELECT wall_ms FROM audit_job WHERE job <> 'last'")).containsOnly("5");
        for (String where : List.of(
                "SELECT body FROM audit_entry WHERE job <> 'last'",
                "SELECT account || COALESCE(client_id, '') || COALESCE(description, '') || COALESCE(sentence, '')"
                        + " FROM audit_job WHERE job <> 'last'")) {
            assertThat(texts(where)).isNotEmpty().noneMatch(text -> text.contains("lice"));
        }
        assertThat(fault()).isNull();
        assertThat(purge(NAMES_FOR_TEN, NOW + 20 * DAY)).isPositive();
        assertThat(texts("SELECT subject FROM audit_job WHERE job <> 'last' ORDER BY job"))
                .as("a pseudonym stays as it is")
                .isEqualTo(subjects);
        assertThat(fault()).isNull();
    }

    @Test
    void aBeginningThatNoPurgeTookIsFoundMissing() throws Exception {
        oldAndNew();
        assertThat(purge(THIRTY_DAYS, NOW)).isPositive();
        String next = texts("SELECT number || ' ' || hash FROM audit_entry ORDER BY number LIMIT 1")
                .getFirst();
        tamper("DELETE FROM audit_entry WHERE number = " + next.substring(0, next.indexOf(' ')));
        assertThat(fault()).contains("is missing");
        tamper("UPDATE audit_state SET value = '" + next + "' WHERE name = 'base'");
        assertThat(fault()).startsWith("The beginning is missing");
    }

    @Test
    void aRowThatIsToStayIsFoundMissingAfterAPurge() throws Exception {
        oldAndNew();
        assertThat(purge(THIRTY_DAYS, NOW)).isPositive();
        tamper("DELETE FROM audit_job WHERE job = 'b-live'");
        assertThat(fault()).isEqualTo("The row of job b-live is missing.");
    }

    @Test
    void aRowThatNoEntryTellsOfIsFound() throws Exception {
        oldAndNew();
        assertThat(purge(THIRTY_DAYS, NOW)).isPositive();
        tamper("INSERT INTO audit_job (job, grid_id, door, language, subject, account, lrm, created, version)"
                + " VALUES ('a-old', 'x', 'd', 'l', '/CN=Mallory', 'alice', 'Fork', 1, '1')");
        assertThat(fault()).isEqualTo("The row of job a-old has no entry.");
    }

    /** No transaction takes more off than a few, so that nothing waits long for it. */
    @Test
    void muchIsTakenOffInManySmallSteps() throws Exception {
        List<AuditLog.News> news = new ArrayList<>();
        int jobs = 2 * AuditPurge.BATCH;
        for (int i = 0; i < jobs; i++) {
            String job = String.format("j%06d", i);
            news.add(new AuditLog.News(
                    i + 1,
                    job,
                    NOW - 90 * DAY,
                    AuditEntry.Kind.CREATED,
                    "{\"grid_id\":\"" + job
                            + "\",\"door\":\"d\",\"language\":\"l\",\"subject\":\"s\",\"account\":\"a\","
                            + "\"lrm\":\"Fork\",\"created\":1,\"version\":\"1\",\"outcome\":\"DONE\",\"ended\":"
                            + (NOW - 90 * DAY) + "}"));
        }
        log.write(news, jobs);
        created("last", "/CN=Alice", NOW);
        assertThat(purge(THIRTY_DAYS, NOW)).isEqualTo(jobs / AuditPurge.BATCH);
        assertThat(texts("SELECT job FROM audit_job")).containsExactly("last");
        assertThat(fault()).isNull();
    }

    /** A clock that was ahead for a while must not keep records for ever. */
    @Test
    void anEntryOfTheFutureKeepsNothingBehindItFromBeingTakenOff() throws Exception {
        created("a-old", "/CN=Alice", NOW - 90 * DAY);
        created("b-ahead", "/CN=Bob", NOW + 3650 * DAY);
        ended("a-old", NOW - 89 * DAY);
        ended("b-ahead", NOW - 89 * DAY);
        created("last", "/CN=Alice", NOW);
        assertThat(purge(THIRTY_DAYS, NOW)).isPositive();
        assertThat(texts("SELECT job FROM audit_job")).containsExactly("last");
        assertThat(fault()).isNull();
    }

    @Test
    void aWholeBatchOfTheFutureGoesWithWhatIsBehindIt() throws Exception {
        List<AuditLog.News> news = new ArrayList<>();
        for (int i = 0; i <= AuditPurge.BATCH; i++) {
            news.add(new AuditLog.News(i + 1, "", NOW + 3650 * DAY, AuditEntry.Kind.ACT, "{\"who\":\"w\"}"));
        }
        log.write(news, news.size());
        assertThat(purge(THIRTY_DAYS, NOW))
                .as("nobody knows yet how old they are")
                .isZero();
        created("new", "/CN=Alice", NOW);
        assertThat(purge(THIRTY_DAYS, NOW)).as("not older than what is new").isZero();
        assertThat(purge(THIRTY_DAYS, NOW + 40 * DAY)).isPositive();
        assertThat(texts("SELECT kind FROM audit_entry WHERE kind = 'ACT'")).isEmpty();
        assertThat(fault()).isNull();
    }

    private List<Map<String, Object>> usage(UsageReports.Key by) {
        return new UsageReports(database)
                .totals(List.of(by), null, Instant.EPOCH, Instant.ofEpochMilli(NOW + 200 * DAY), Set.of());
    }

    /** A site can say for years how much was used, and not by whom. */
    @Test
    void whatWasUsedStaysInTheSumsWithoutTheNames() throws Exception {
        oldAndNew();
        List<Map<String, Object>> before = usage(UsageReports.Key.MONTH);
        assertThat(before).extracting(row -> row.get("jobs")).containsExactly(1L, 2L);
        assertThat(purge(THIRTY_DAYS, NOW)).isPositive();
        assertThat(usage(UsageReports.Key.MONTH)).isEqualTo(before);
        assertThat(usage(UsageReports.Key.USER))
                .extracting(
                        row -> String.valueOf(row.get("user")).replaceFirst("-[0-9a-f]{16}$", ""),
                        row -> row.get("jobs"))
                .containsExactly(tuple("/CN=Alice", 1L), tuple("/CN=Carol", 1L), tuple("pseudonym", 1L));
        assertThat(purge(NAMES_FOR_TEN, NOW + 50 * DAY)).isPositive();
        assertThat(usage(UsageReports.Key.MONTH)).isEqualTo(before);
        assertThat(usage(UsageReports.Key.USER))
                .extracting(row -> String.valueOf(row.get("user")))
                .allMatch(user -> user.startsWith("pseudonym-"));
        assertThat(usage(UsageReports.Key.ACCOUNT))
                .extracting(row -> String.valueOf(row.get("account")))
                .allMatch(account -> account.startsWith("pseudonym-"));
        assertThat(fault()).isNull();
    }

    @Test
    void aTimeIsPositive() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AuditKeeping(Duration.ZERO, null));
    }
}
