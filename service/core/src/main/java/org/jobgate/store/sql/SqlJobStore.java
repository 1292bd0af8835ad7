// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;
import org.jobgate.limits.Interlude;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.GroupStore;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.JobUpdate;
import org.jobgate.store.NewJob;
import org.jobgate.store.OwnerChanges;
import org.jobgate.store.OwnerLoad;
import org.jobgate.store.StoreStatistics;

/** The store on an SQL database: hands writes to the one writer, and reads past it. */
final class SqlJobStore implements JobStore {

    private static final int MAX_ROWS = 10_000;

    private static final String CURSOR = "SELECT sequence FROM reader_cursor WHERE name = ?";
    private static final String SAVE_CURSOR = "INSERT INTO reader_cursor (name, sequence) VALUES (?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence";

    /** Jobs that clients ask for again and again: 1 KB each. */
    private static final int CACHED_JOBS = 1_000;

    private final Database database;
    private final JobCache cache;
    private final JobReads reads;
    private final WriterSession session;
    private final GroupCommitWriter writer;
    private final ChangeRing ring;
    private final OwnerStream stream;
    private final SqlGroups groups;
    private final LiveCounts counts = new LiveCounts();
    private final CommitListeners<Change> listeners = new CommitListeners<>();
    private final CommitListeners<CreatedJob> creations = new CommitListeners<>();
    private final JobDescriptionCodec codec = new JobDescriptionCodec();
    private final StoreProbe probe;

    /** Opens the store; the database is closed again where that fails. */
    SqlJobStore(Database database, StoreSettings settings, Clock clock, Executor answers, Interlude interlude)
            throws SQLException {
        this.database = database;
        this.reads = new JobReads(database, settings.maxReaders());
        this.cache = new JobCache(database.isOursAlone() ? CACHED_JOBS : 0);
        this.ring = new ChangeRing(settings.recentChanges());
        this.stream = new OwnerStream(ring, reads);
        this.session =
                new WriterSession(database, clock, cache, ring, counts, listeners, creations, settings.timeout());
        this.writer = new GroupCommitWriter(session, database, settings, answers, interlude, listeners);
        this.groups = new SqlGroups(reads, writer, codec);
        this.probe = new StoreProbe(writer, reads, database.name(), settings.timeout());
        try {
            session.open();
        } catch (SQLException | RuntimeException e) {
            closeDatabase();
            throw e;
        }
        writer.start();
    }

    @Override
    public CompletableFuture<CreateResult> create(NewJob newJob) {
        return prepared(List.of(newJob), write -> writer.offer(write.single()));
    }

    @Override
    public CompletableFuture<List<CreateResult>> createAll(List<NewJob> newJobs) {
        return newJobs.isEmpty() ? CompletableFuture.completedFuture(List.of()) : prepared(newJobs, writer::offer);
    }

    private <T> CompletableFuture<T> prepared(List<NewJob> newJobs, Function<CreateWrite, CompletableFuture<T>> next) {
        CreateWrite write;
        try {
            write = CreateWrite.prepare(newJobs, codec);
        } catch (FaultException | IllegalArgumentException | IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        return next.apply(write);
    }

    @Override
    public CompletableFuture<Optional<Job>> update(JobId id, JobUpdate update) {
        return writer.put(new UpdateWrite(id, update));
    }

    @Override
    public CompletableFuture<List<Optional<Job>>> updateAll(List<JobId> ids, JobUpdate update) {
        requireAtMost(ids.size(), MAX_IDS, "ids");
        return ids.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : writer.put(new UpdateAllWrite(ids, update));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return Optional.ofNullable(cache.find(id, () -> reads.jobs(List.of(id)).get(id)));
    }

    @Override
    public Map<JobId, Job> findAll(Collection<JobId> ids) {
        requireAtMost(ids.size(), MAX_IDS, "ids");
        return reads.jobs(ids);
    }

    @Override
    public Optional<Job> find(SubmissionKey key) {
        return reads.jobOf(key).flatMap(this::find);
    }

    @Override
    public List<JobId> findByPart(String digits, int limit) {
        return new IdPart(digits).find(reads, limit);
    }

    @Override
    public Optional<JobDescription> description(JobId id) {
        return reads.description(id).map(codec::decode);
    }

    @Override
    public Map<JobId, JobDescription> descriptions(Collection<JobId> ids) {
        requireAtMost(ids.size(), MAX_IDS, "ids");
        Map<JobId, JobDescription> decoded = new HashMap<>();
        reads.descriptions(ids).forEach((id, text) -> decoded.put(id, codec.decode(text)));
        return decoded;
    }

    @Override
    public List<Job> list(JobQuery query) {
        return reads.list(query);
    }

    @Override
    public List<JobId> ids(JobQuery query) {
        return reads.ids(query);
    }

    @Override
    public Map<JobState, Long> countByState() {
        return counts.states();
    }

    @Override
    public long countLive() {
        return counts.all();
    }

    @Override
    public long countLive(String subject) {
        return counts.ofSubject(subject);
    }

    @Override
    public List<OwnerLoad> busiestOwners(int limit) {
        return counts.busiest(limit);
    }

    @Override
    public List<String> accountsWithLiveJobs(String lrm) {
        return counts.accounts(lrm);
    }

    @Override
    public GroupStore groups() {
        return groups;
    }

    @Override
    public List<Change> changesAfter(long cursor, int limit) {
        requireAtMost(limit, MAX_ROWS, "changes");
        return ring.after(cursor, limit).orElseGet(() -> storedChangesAfter(cursor, limit));
    }

    private List<Change> storedChangesAfter(long cursor, int limit) {
        return reads.rows(
                ChangeRows.AFTER,
                statement -> {
                    statement.setLong(1, cursor);
                    statement.setInt(2, limit);
                },
                ChangeRows::read);
    }

    @Override
    public OwnerChanges changesOf(String subject, long cursor, int limit) {
        requireAtMost(limit, MAX_ROWS, "changes");
        return stream.after(subject, cursor, limit);
    }

    @Override
    public List<Change> changesOf(JobId id) {
        return reads.rowsByKept(ChangeRows.OF_JOB, statement -> Values.setId(statement, 1, id), ChangeRows::read);
    }

    @Override
    public long lastChange() {
        return ring.last();
    }

    @Override
    public long cursor(String name) {
        return reads.number(CURSOR, name);
    }

    @Override
    public CompletableFuture<Void> saveCursor(String name, long sequence) {
        return writer.<Void>put(batch -> {
            var statement = batch.statements().get(SAVE_CURSOR);
            statement.setString(1, name);
            statement.setLong(2, sequence);
            statement.executeUpdate();
            batch.touch();
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> putRecord(DoorRecord record) {
        return writer.<Void>put(batch -> {
            batch.putRecord(record);
            return null;
        });
    }

    @Override
    public CompletableFuture<Boolean> deleteRecord(String kind, String id) {
        return writer.put(batch -> {
            batch.flush();
            var statement = batch.statements().get(RecordRows.DELETE);
            statement.setString(1, kind);
            statement.setString(2, id);
            batch.touch();
            return statement.executeUpdate() > 0;
        });
    }

    @Override
    public Optional<DoorRecord> findRecord(String kind, String id) {
        return reads.row(
                RecordRows.BY_ID,
                statement -> {
                    statement.setString(1, kind);
                    statement.setString(2, id);
                },
                RecordRows::read);
    }

    @Override
    public List<DoorRecord> recordsOf(String kind, JobId job) {
        return reads.rowsByKept(
                RecordRows.OF_JOB,
                statement -> {
                    statement.setString(1, kind);
                    Values.setId(statement, 2, job);
                },
                RecordRows::read);
    }

    @Override
    public long countRecords(String kind) {
        return reads.number(RecordRows.COUNT, kind);
    }

    @Override
    public List<DoorRecord> listRecords(String kind, String afterId, int limit) {
        requireAtMost(limit, MAX_ROWS, "records");
        return reads.rows(
                RecordRows.AFTER,
                statement -> {
                    statement.setString(1, kind);
                    statement.setString(2, afterId);
                    statement.setInt(3, limit);
                },
                RecordRows::read);
    }

    @Override
    public CompletableFuture<Integer> purge(Instant endedBefore, int limit, Set<JobId> kept) {
        requireAtMost(limit, MAX_ROWS, "jobs");
        return writer.put(new Purge(endedBefore, limit, kept));
    }

    @Override
    public void onCommit(Consumer<List<Change>> listener) {
        listeners.add(listener);
    }

    @Override
    public void onCreate(Consumer<List<CreatedJob>> listener) {
        creations.add(listener);
    }

    @Override
    public void probe() {
        probe.run();
    }

    @Override
    public StoreStatistics statistics() {
        return writer.statistics();
    }

    /** A second call does nothing. */
    @Override
    public void close() {
        writer.close();
        closeDatabase();
    }

    private void closeDatabase() {
        database.closeReaders();
        session.close();
        database.close();
    }

    private static void requireAtMost(int count, int most, String what) {
        if (count < 0 || count > most) {
            throw new IllegalArgumentException(count + " " + what + " were asked for; at most " + most + " at a time");
        }
    }
}
