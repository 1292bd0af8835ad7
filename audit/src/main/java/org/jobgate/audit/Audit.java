// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.access.AuditRecords;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Records each job when it is created, when its LRM has accepted it and when it is over (the three moments of GRAM's audit logging). It
 * follows the change stream by a cursor of its own, kept in the same transaction as the records: a change is recorded once, however often
 * the service dies. While the records cannot be written, jobs go on, and the records follow later.
 */
public final class Audit implements AutoCloseable {

    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private static final Duration ACT_PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_ACT = 4_096;

    /** The most jobs in one answer. */
    private static final int MOST_JOBS = 1_000;

    private final JobStore store;
    private final AuditDatabase database;
    private final Path headFile;
    private final AuditRecorder recorder;
    private final Thread thread;
    private @Nullable LateUse lateUse;

    /**
     * Opens the records; nothing is recorded before {@link #start}.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if they cannot be opened
     */
    public Audit(JobStore store, AuditSettings settings) {
        this.store = requireNonNull(store, "store is null");
        requireNonNull(settings, "settings is null");
        this.database = AuditDatabase.open(settings.store(), settings.directory());
        this.headFile = settings.directory().resolve("audit.head");
        this.recorder = new AuditRecorder(store, settings, new AuditLog(database, headFile));
        this.thread = Thread.ofPlatform().daemon().name("jobgate-audit").unstarted(recorder);
    }

    /**
     * Begins to record, with the first change that is not recorded yet.
     *
     * @param lrms are asked what jobs used, some time after their ends, where their accounting says more than the ends did
     */
    public void start(Collection<? extends Lrm> lrms) {
        store.onCreate(recorder::created);
        store.onCommit(changes -> recorder.wake());
        thread.start();
        LateUse asking = new LateUse(database, lrms, recorder);
        asking.start();
        lateUse = asking;
    }

    /**
     * Records something that an administrator has done, in the same chain as the jobs. Waits until it is on disk, but not long: what was done
     * is done, whether or not it can be recorded at present.
     *
     * @param who has done it
     * @param what was asked for
     * @param job that it was done to; empty where it was none
     * @return empty when it is on record; else why it is not, or not yet
     */
    public Optional<String> act(String who, String what, Optional<JobId> job) {
        CompletableFuture<Optional<String>> done = new CompletableFuture<>();
        recorder.add(
                AuditRecorder.entry(
                        job.map(JobId::toString).orElse(""),
                        AuditEntry.Kind.ACT,
                        AuditRow.act(bounded(who), bounded(what))),
                done::complete);
        try {
            return done.get(ACT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the wait was interrupted");
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of("it is not on disk yet");
        }
    }

    private static String bounded(String text) {
        return text.length() <= MOST_ACT ? text : text.substring(0, MOST_ACT);
    }

    /**
     * What administrators have done, newest first.
     *
     * @param limit 1 to {@value #MOST_JOBS}
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if the records cannot be read
     */
    public List<Map<String, Object>> acts(Instant since, int limit) {
        if (limit < 1 || limit > MOST_JOBS) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MOST_JOBS);
        }
        return read(reader -> {
            List<Map<String, Object>> acts = new ArrayList<>();
            try (PreparedStatement statement = reader.prepareStatement(
                    "SELECT * FROM audit_entry WHERE kind = 'ACT' AND at >= ? ORDER BY number DESC LIMIT ?")) {
                statement.setLong(1, since.toEpochMilli());
                statement.setInt(2, limit);
                try (ResultSet found = statement.executeQuery()) {
                    while (found.next()) {
                        acts.add(view(AuditLog.entry(found)));
                    }
                }
            }
            return acts;
        });
    }

    /** An entry as it is shown: what an administrator has done is told, of a job's own entries the kind is enough. */
    private static Map<String, Object> view(AuditEntry entry) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("number", entry.number());
        view.put("kind", entry.kind().name());
        view.put("at", Instant.ofEpochMilli(entry.at()).toString());
        if (entry.kind() == AuditEntry.Kind.ACT) {
            if (!entry.job().isEmpty()) {
                view.put("job", entry.job());
            }
            AuditRow.add(view, entry);
        }
        view.put("hash", entry.hash());
        return view;
    }

    /** Sums of what jobs used. */
    public UsageReports usage() {
        return new UsageReports(database);
    }

    /** How many changes are not recorded yet. */
    public long lag() {
        return Math.max(0, store.lastChange() - recorder.recorded());
    }

    /** How many entries the chain has. */
    public long entries() {
        return recorder.entries();
    }

    /** How much room the records take on disk. */
    public long bytes() {
        return database.bytes();
    }

    /** Why nothing can be recorded at the moment; absent where all is well. */
    public Optional<String> trouble() {
        if (!recorder.isClosed() && thread.getState() == Thread.State.TERMINATED) {
            return Optional.of("the thread that records them has ended; see the log, and restart the gateway");
        }
        return recorder.trouble();
    }

    /** What shows that records are missing, although jobs are recorded; absent where all is well. */
    public Optional<String> damage() {
        return recorder.damage();
    }

    /**
     * What is known of a job, by the names of the columns, with its entries under {@code entries}.
     *
     * @return empty where no such job was recorded
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if the records cannot be read
     */
    public Optional<Map<String, Object>> job(String id) {
        return read(reader -> {
            List<Map<String, Object>> rows = rows(reader, "job = ?", List.of(id), 1);
            if (rows.isEmpty()) {
                return Optional.<Map<String, Object>>empty();
            }
            List<Map<String, Object>> entries = new ArrayList<>();
            try (PreparedStatement statement =
                    reader.prepareStatement("SELECT * FROM audit_entry WHERE job = ? ORDER BY number")) {
                statement.setString(1, id);
                try (ResultSet found = statement.executeQuery()) {
                    while (found.next()) {
                        entries.add(view(AuditLog.entry(found)));
                    }
                }
            }
            rows.getFirst().put("entries", entries);
            return Optional.of(rows.getFirst());
        });
    }

    /**
     * A page of the jobs that were created in a time, in the order of their ids; which is that of their creation. It ends early where its texts
     * are long ({@link AuditRecords#mayGoOn}).
     *
     * @param subject only of this owner; null for all
     * @param since not before this
     * @param after only those with a greater id; null from the first on
     * @param limit 1 to {@value #MOST_JOBS}
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if the records cannot be read
     */
    public List<Map<String, Object>> jobs(@Nullable String subject, Instant since, @Nullable String after, int limit) {
        if (limit < 1 || limit > MOST_JOBS) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MOST_JOBS);
        }
        List<Object> values = new ArrayList<>(List.of(since.toEpochMilli(), after == null ? "" : after));
        String where = "created >= ? AND job > ?";
        if (subject != null) {
            where += " AND subject = ?";
            values.add(subject);
        }
        String which = where;
        return read(reader -> rows(reader, which, values, limit));
    }

    private static List<Map<String, Object>> rows(Connection reader, String where, List<Object> values, int limit)
            throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        long text = 0;
        // the inner one sorts ids, and not rows with their descriptions
        try (PreparedStatement statement =
                reader.prepareStatement("SELECT * FROM audit_job WHERE job IN (SELECT job FROM audit_job WHERE " + where
                        + " ORDER BY job LIMIT ?) ORDER BY job")) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            statement.setInt(values.size() + 1, limit);
            try (ResultSet found = statement.executeQuery()) {
                while (text < AuditRecords.MOST_TEXT && found.next()) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("job", found.getString("job"));
                    row.putAll(AuditLog.row(found));
                    rows.add(row);
                    text += AuditRecords.text(row);
                }
            }
        }
        return rows;
    }

    /**
     * Whether the records are as they were written. Reads all of them.
     *
     * @return {@code entries} and {@code jobs} that are well, the {@code end} of the chain, and {@code fault} where something is not as it
     *     was written
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if the records cannot be read
     */
    public Map<String, Object> verify() {
        try {
            AuditVerifier.Finding found = AuditVerifier.verify(database, headFile);
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("entries", found.entries());
            view.put("jobs", found.jobs());
            view.put("end", found.end());
            if (found.fault() != null) {
                view.put("fault", found.fault());
            }
            return view;
        } catch (SQLException | IOException e) {
            throw database.unreadable(e);
        }
    }

    @FunctionalInterface
    private interface Reading<T> {
        T of(Connection reader) throws SQLException;
    }

    private <T> T read(Reading<T> reading) {
        try (Connection reader = database.reader()) {
            return reading.of(reader);
        } catch (SQLException e) {
            throw database.unreadable(e);
        }
    }

    /** Ends after the transaction that is being written; what it has not recorded yet is recorded after the next start. */
    @Override
    public void close() {
        LateUse asking = lateUse;
        if (asking != null) {
            asking.close();
        }
        recorder.end();
        if (thread.getState() != Thread.State.NEW) {
            // not interrupted at once: that would keep it from saving the end of the chain
            try {
                if (!thread.join(END_PATIENCE)) {
                    thread.interrupt();
                    thread.join();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        recorder.close();
        database.close();
    }
}
