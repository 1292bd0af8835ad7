// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.access.AuditRecords;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit beside a real store: what is recorded, that nothing is recorded twice, and that tampering is found. */
class AuditTest {

    private static final String SERVICE = "https://gw.example.org:8443/wsrf/services/ManagedExecutableJobService";
    private static final String NASTY = "'); DROP TABLE audit_job; -- \"<ü>&\u0000\n";

    @TempDir
    Path directory;

    private AuditPlace place;

    private final SampleJobs samples = new SampleJobs(11);
    private JobStore store;
    private Audit audit;

    @BeforeEach
    void open() throws Exception {
        place = place(directory);
        store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), Clock.systemUTC());
        audit = started();
    }

    @AfterEach
    void close() throws Exception {
        audit.close();
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
                        SERVICE,
                        "1.2",
                        description -> NASTY + description.executable(),
                        job -> java.util.Optional.empty(),
                        AuditKeeping.FOR_EVER));
        made.start(List.of());
        return made;
    }

    @Test
    void aJobThatTheAuditWasNotToldOfIsRecordedTheSame() {
        JobId told = created(SampleJobs.ALICE, "told");
        await().until(() -> audit.lag() == 0);
        audit.close();
        JobId read = created(SampleJobs.ALICE, "read");
        audit = started();
        await().until(() -> audit.lag() == 0);
        Map<String, Object> first = audit.job(told.toString()).orElseThrow();
        Map<String, Object> second = audit.job(read.toString()).orElseThrow();
        assertThat(first.keySet()).isEqualTo(second.keySet());
        for (String same : List.of("door", "language", "subject", "account", "lrm", "description", "version")) {
            assertThat(second).containsEntry(same, first.get(same));
        }
        assertThat(first).containsEntry("client_id", "told");
        assertThat(second).containsEntry("client_id", "read");
    }

    private JobId created(String subject, String clientId) {
        NewJob job = samples.newJob(subject, clientId);
        store.create(job).join();
        return job.job().id();
    }

    private void queued(JobId id) {
        Instant now = Instant.now();
        store.update(id, SampleJobs.event(JobEvent.LRM_ACCEPTED, JobState.PENDING, now))
                .join();
    }

    private JobId finished(String subject, String clientId) {
        JobId id = created(subject, clientId);
        store.update(id, SampleJobs.finish(Instant.now())).join();
        return id;
    }

    private void recordedAll() {
        await().until(() -> audit.lag() == 0 && Files.exists(directory.resolve("audit.head")));
        audit.close();
    }

    private List<Map<String, Object>> select(String sql) throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Connection reader = place.database().reader();
                Statement statement = reader.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    Object value = found.getObject(i);
                    row.put(
                            found.getMetaData().getColumnLabel(i),
                            value instanceof Number number ? number.longValue() : value);
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private void tamper(String sql) throws SQLException {
        try (Connection writer = place.beside();
                Statement statement = writer.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
            writer.commit();
        }
    }

    @Test
    void aJobIsRecordedAtItsBeginningWhenItIsQueuedAndAtItsEnd() throws Exception {
        JobId id = created(SampleJobs.BOB, "the client's id");
        await().until(() -> audit.job(id.toString()).isPresent());
        assertThat(audit.job(id.toString()).orElseThrow())
                .containsEntry("subject", SampleJobs.BOB)
                .containsEntry("account", "alice")
                .containsEntry("lrm", "Fork")
                .containsEntry("client_id", "the client's id")
                .containsEntry("version", "1.2")
                .doesNotContainKeys("queued", "ended", "outcome");
        queued(id);
        await().until(() -> audit.job(id.toString()).orElseThrow().containsKey("queued"));
        store.update(id, SampleJobs.finish(Instant.now())).join();
        await().until(() -> audit.job(id.toString()).orElseThrow().containsKey("ended"));
        Map<String, Object> row = audit.job(id.toString()).orElseThrow();
        assertThat(row).containsEntry("outcome", "DONE");
        List<Object> kinds = new ArrayList<>();
        ((List<?>) requireNonNull(row.get("entries"))).forEach(entry -> kinds.add(((Map<?, ?>) entry).get("kind")));
        assertThat(kinds).containsExactly("CREATED", "QUEUED", "ENDED");
    }

    @Test
    void gramsAuditTableHasItsColumnsInTheirOrder() throws Exception {
        JobId done = finished(SampleJobs.ALICE, "first");
        JobId live = created(SampleJobs.ALICE, "second");
        recordedAll();
        List<Map<String, Object>> rows =
                select("SELECT * FROM gram_audit_table ORDER BY creation_time, idempotence_id");
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst().keySet())
                .containsExactly(
                        "job_grid_id",
                        "local_job_id",
                        "subject_name",
                        "username",
                        "idempotence_id",
                        "creation_time",
                        "queued_time",
                        "stage_in_grid_id",
                        "stage_out_grid_id",
                        "clean_up_grid_id",
                        "globus_toolkit_version",
                        "resource_manager_type",
                        "job_description",
                        "success_flag",
                        "finished_flag");
        assertThat(rows)
                .extracting(
                        row -> row.get("job_grid_id"), row -> row.get("success_flag"), row -> row.get("finished_flag"))
                .containsExactlyInAnyOrder(
                        org.assertj.core.api.Assertions.tuple(GridJobId.of(SERVICE, done.toString()), "true", "true"),
                        org.assertj.core.api.Assertions.tuple(
                                GridJobId.of(SERVICE, live.toString()), "false", "false"));
        assertThat((String) rows.getFirst().get("creation_time"))
                .matches("20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}");
        assertThat((String) rows.getFirst().get("job_description"))
                .startsWith(place.database().text(NASTY));
    }

    @Test
    void whatHappensWhileNobodyRecordsIsRecordedLaterAndNothingTwice() throws Exception {
        finished(SampleJobs.ALICE, "before");
        recordedAll();
        JobId meanwhile = finished(SampleJobs.BOB, NASTY.replace("\u0000", "").replace("\n", ""));
        for (int i = 0; i < 3; i++) {
            audit = started();
            recordedAll();
        }
        assertThat(audit.job(meanwhile.toString()).orElseThrow()).containsEntry("outcome", "DONE");
        assertThat(select("SELECT job, kind, count(*) AS times FROM audit_entry GROUP BY job, kind"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.get("times")).isEqualTo(1L));
        assertThat(audit.verify())
                .containsEntry("entries", 4L)
                .containsEntry("jobs", 2L)
                .doesNotContainKey("fault");
    }

    @Test
    void jobsOfAStoreThatReplacesTheOneThatWasRecordedAreRecordedToo() throws Exception {
        threeJobs();
        store.close();
        store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("other.db")), Clock.systemUTC());
        audit = started();
        JobId other = finished(SampleJobs.BOB, "other");
        await().until(() -> audit.job(other.toString()).isPresent());
        recordedAll();
        assertThat(audit.job(other.toString()).orElseThrow()).containsEntry("outcome", "DONE");
        assertThat(audit.verify())
                .containsEntry("entries", 8L)
                .containsEntry("jobs", 4L)
                .doesNotContainKey("fault");
    }

    /** A service that is killed has either the whole transaction on disk or nothing of it. */
    @Test
    void aCursorThatWasNotSavedMeansThatNothingWasRecorded() throws Exception {
        finished(SampleJobs.ALICE, "first");
        recordedAll();
        AuditLog log = new AuditLog(place.database(), directory.resolve("audit.head"));
        long before = log.cursor();
        AuditLog.News good = new AuditLog.News(before + 1, "job-a", 0, AuditEntry.Kind.QUEUED, "{\"queued\":1}");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> log.write(List.of(good), before + 1))
                .as("a row without its beginning breaks the rules of the table")
                .isInstanceOf(SQLException.class);
        assertThat(log.cursor()).isEqualTo(before);
        log.close();
        assertThat(audit.verify()).containsEntry("entries", 2L).doesNotContainKey("fault");
    }

    @Test
    void theFilesAreForTheServiceAlone() throws Exception {
        finished(SampleJobs.ALICE, "first");
        recordedAll();
        for (String file : place.store().url() == null ? List.of("audit.db", "audit.head") : List.of("audit.head")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aChangedEntryIsFound() throws Exception {
        threeJobs();
        tamper("UPDATE audit_entry SET body = replace(body, 'Alice', 'Mallory') WHERE number = 3");
        assertThat(fault()).contains("Entry 3 (job ", "is not as it was written");
    }

    @Test
    void aTakenEntryIsFound() throws Exception {
        threeJobs();
        tamper("DELETE FROM audit_entry WHERE number = 2");
        assertThat(fault()).isEqualTo("Entry 2 is missing.");
    }

    @Test
    void aCutEndIsFound() throws Exception {
        threeJobs();
        tamper("DELETE FROM audit_job WHERE job = (SELECT job FROM audit_entry WHERE number = 6)");
        tamper("DELETE FROM audit_entry WHERE number > 4");
        assertThat(fault())
                .startsWith("The end is missing, or all was written anew")
                .contains("is 6 ", "end with 4 ");
    }

    /** The next start must not write the end of what is left over the one that is known. */
    @Test
    void anEndThatWasCutBetweenTwoRunsIsFoundAfterTheNextOne() throws Exception {
        threeJobs();
        assertThat(audit.damage()).isEmpty();
        tamper("DELETE FROM audit_job WHERE job = (SELECT job FROM audit_entry WHERE number = 6)");
        tamper("DELETE FROM audit_entry WHERE number > 4");
        for (int run = 0; run < 2; run++) {
            audit = started();
            JobId later = finished(SampleJobs.BOB, "later " + run);
            recordedAll();
            assertThat(audit.job(later.toString())).as("recording goes on").isPresent();
            assertThat(audit.damage().orElseThrow()).contains(" 6 ");
            assertThat(fault())
                    .startsWith("The end is missing, or all was written anew")
                    .contains("is 6 ");
        }
        Files.delete(directory.resolve("audit.head"));
        assertThat(fault()).startsWith("The file audit.head is missing").contains("restart the gateway", "entry 8");
        audit = started();
        await().until(() -> Files.exists(directory.resolve("audit.head")));
        assertThat(audit.damage()).isEmpty();
        assertThat(audit.verify()).containsEntry("entries", 8L).doesNotContainKey("fault");
    }

    @Test
    void aChangedRowIsFound() throws Exception {
        threeJobs();
        tamper("UPDATE audit_job SET account = 'root' WHERE client_id = 'second'");
        assertThat(fault()).contains("does not say what its entries say of account");
    }

    @Test
    void aTakenRowIsFound() throws Exception {
        threeJobs();
        tamper("DELETE FROM audit_job WHERE client_id = 'third'");
        assertThat(fault()).contains("The row of job ", " is missing.");
    }

    private void threeJobs() {
        finished(SampleJobs.ALICE, "first");
        finished(SampleJobs.ALICE, "second");
        finished(SampleJobs.ALICE, "third");
        recordedAll();
        assertThat(audit.verify()).containsEntry("entries", 6L).doesNotContainKey("fault");
    }

    private String fault() {
        return (String) requireNonNull(audit.verify().get("fault"));
    }

    @Test
    void jobsAreListedByOwnerAndTimeAPageAtATime() {
        List<String> mine = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            mine.add(finished(SampleJobs.ALICE, "mine " + i).toString());
            finished(SampleJobs.BOB, "other " + i);
        }
        recordedAll();
        mine.sort(null);
        List<Map<String, Object>> first = audit.jobs(SampleJobs.ALICE, Instant.EPOCH, null, 3);
        List<Map<String, Object>> rest = audit.jobs(
                SampleJobs.ALICE, Instant.EPOCH, (String) first.getLast().get("job"), 3);
        assertThat(first).hasSize(3);
        List<Object> all = new ArrayList<>();
        first.forEach(row -> all.add(row.get("job")));
        rest.forEach(row -> all.add(row.get("job")));
        assertThat(all).isEqualTo(mine);
        assertThat(audit.jobs(null, Instant.now().plusSeconds(3600), null, 10)).isEmpty();
    }

    /** A thousand descriptions of a megabyte each would be more than the gateway has memory for. */
    @Test
    void aPageEndsWhereItsTextsAreLong() throws Exception {
        for (int i = 0; i < 5; i++) {
            finished(SampleJobs.ALICE, "mine " + i);
        }
        recordedAll();
        int third = AuditRecords.MOST_TEXT / 3;
        tamper("UPDATE audit_job SET description = "
                + (place.store().url() == null ? "printf('%.*c', " + third + ", 'x')" : "repeat('x', " + third + ")"));
        List<Map<String, Object>> first = audit.jobs(SampleJobs.ALICE, Instant.EPOCH, null, 1000);
        assertThat(first).hasSize(3);
        assertThat(AuditRecords.mayGoOn(first, 1000)).isTrue();
        List<Map<String, Object>> rest = audit.jobs(
                SampleJobs.ALICE, Instant.EPOCH, (String) first.getLast().get("job"), 1000);
        assertThat(rest).hasSize(2).doesNotContainAnyElementsOf(first);
        assertThat(AuditRecords.mayGoOn(rest, 1000)).isFalse();
    }

    @Test
    void whileTheRecordsCannotBeWrittenJobsGoOnAndTheRecordsFollow() throws Exception {
        finished(SampleJobs.ALICE, "before");
        await().until(() -> audit.lag() == 0);
        JobId during;
        try (Connection blocker = place.beside();
                Statement statement = blocker.createStatement()) {
            statement.executeUpdate("UPDATE audit_state SET value = value");
            during = finished(SampleJobs.ALICE, "during");
            assertThat(store.find(during).orElseThrow().state()).isEqualTo(JobState.DONE);
            assertThat(audit.job(during.toString())).isEmpty();
            blocker.rollback();
        }
        await().until(() -> audit.job(during.toString())
                .map(row -> row.containsKey("ended"))
                .orElse(false));
    }
}
