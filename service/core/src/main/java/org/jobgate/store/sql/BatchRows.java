// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.jobgate.store.sql.JobRows.FINISHED;
import static org.jobgate.store.sql.JobRows.LIVE;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jobgate.job.Job;
import org.jobgate.store.Change;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.sql.Batch.Tracked;
import org.jspecify.annotations.Nullable;

/** Writes what one transaction gathered, table by table, so that each statement is sent once for many rows. */
final class BatchRows {

    private static final String INSERT_SUBMISSION =
            "INSERT INTO submission (subject, door, client_key, job, digest) VALUES (?, ?, ?, ?, ?)";
    private static final String INSERT_DESCRIPTION = "INSERT INTO job_description (job, body) VALUES (?, ?)";

    private final JobRows jobRows = new JobRows();
    private final List<NewSubmission> submissions = new ArrayList<>();
    /** By kind and id: PostgreSQL refuses to upsert one row twice in one statement. */
    private final Map<RecordKey, DoorRecord> records = new LinkedHashMap<>();

    private int changesWritten;

    private record NewSubmission(Job job, JobDescriptionCodec.Encoded description) {}

    private record RecordKey(String kind, String id) {}

    void addSubmission(Job job, JobDescriptionCodec.Encoded description) {
        submissions.add(new NewSubmission(job, description));
    }

    void putRecord(DoorRecord record) {
        records.put(new RecordKey(record.kind(), record.id()), record);
    }

    void flush(Statements statements, Collection<Tracked> jobs, List<Change> changes, GroupBatch groups)
            throws SQLException {
        flushSubmissions(statements);
        flushJobs(statements, jobs, groups);
        statements.forEach(ChangeRows.INSERT, changes.subList(changesWritten, changes.size()), ChangeRows::bind);
        changesWritten = changes.size();
        statements.forEach(RecordRows.UPSERT, records.values(), RecordRows::bind);
        records.clear();
    }

    private void flushSubmissions(Statements statements) throws SQLException {
        statements.forEach(INSERT_SUBMISSION, submissions, (statement, added) -> {
            statement.setString(1, added.job().key().subject());
            statement.setString(2, added.job().key().door());
            statement.setString(3, added.job().key().clientId());
            Values.setId(statement, 4, added.job().id());
            statement.setBytes(5, HexFormat.of().parseHex(added.description().digest()));
        });
        statements.forEach(INSERT_DESCRIPTION, submissions, (statement, added) -> {
            Values.setId(statement, 1, added.job().id());
            statement.setString(2, added.description().json());
        });
        submissions.clear();
    }

    private void flushJobs(Statements statements, Collection<Tracked> jobs, GroupBatch groups) throws SQLException {
        List<Tracked> changed =
                jobs.stream().filter(job -> !job.now.equals(job.written)).toList();
        deleteMoved(statements, changed);
        for (String table : List.of(LIVE, FINISHED)) {
            insert(statements, table, changed);
            update(statements, table, changed);
        }
        for (Tracked job : changed) {
            groups.count(job.written, job.now);
            job.written = job.now;
        }
    }

    private static @Nullable String writtenTable(Tracked job) {
        return job.written == null ? null : JobRows.tableOf(job.written);
    }

    private static boolean moves(Tracked job) {
        String table = writtenTable(job);
        return table != null && !table.equals(JobRows.tableOf(job.now));
    }

    private void deleteMoved(Statements statements, List<Tracked> changed) throws SQLException {
        statements.forEach(
                JobRows.delete(LIVE),
                nowOf(changed, BatchRows::moves),
                (statement, job) -> Values.setId(statement, 1, job.id()));
    }

    private void insert(Statements statements, String table, List<Tracked> changed) throws SQLException {
        Predicate<Tracked> belongs = job -> JobRows.tableOf(job.now).equals(table) && !table.equals(writtenTable(job));
        statements.forEach(JobRows.insert(table), nowOf(changed, belongs), jobRows::bindInsert);
    }

    private void update(Statements statements, String table, List<Tracked> changed) throws SQLException {
        Predicate<Tracked> stays = job -> table.equals(writtenTable(job)) && !moves(job);
        statements.forEach(JobRows.update(table), nowOf(changed, stays), jobRows::bindUpdate);
        statements.forEach(
                JobRows.updateIndexed(table),
                nowOf(changed, stays.and(job -> JobRows.indexedDiffer(Objects.requireNonNull(job.written), job.now))),
                (PreparedStatement statement, Job job) -> JobRows.bindIndexed(statement, job));
    }

    private static List<Job> nowOf(List<Tracked> jobs, Predicate<Tracked> chosen) {
        return jobs.stream().filter(chosen).map(job -> job.now).toList();
    }
}
