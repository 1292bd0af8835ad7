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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records each job when it is created, when its LRM has accepted it and when it is over (the three moments of GRAM's audit logging). It
 * follows the change stream by a cursor of its own, kept in the same transaction as the records: a change is recorded once, however often
 * the service dies. While the records cannot be written, jobs go on, and the records follow later.
 */
public final class Audit implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

    private static final int BATCH = 500;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration GATHER = Duration.ofMillis(250);
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    /** Of one answer. */
    private static final int MOST_JOBS = 1_000;

    private final JobStore store;
    private final AuditSettings settings;
    private final AuditDatabase database;
    private final Path headFile;
    private final AuditLog log;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread;
    /** The last change of the store when the records were opened. */
    private final long lastAtFirst;

    /** Whether the store was found to be the one that was recorded; the recording thread only. */
    private boolean isCompared;

    private volatile boolean isClosed;
    private volatile long recorded;
    private volatile @Nullable String trouble;

    /**
     * Opens the records; nothing is recorded before {@link #start}.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} if they cannot be opened
     */
    public Audit(JobStore store, AuditSettings settings) {
        this.store = requireNonNull(store, "store is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.lastAtFirst = store.lastChange();
        this.database = AuditDatabase.open(settings.directory().resolve("audit.db"));
        this.headFile = settings.directory().resolve("audit.head");
        this.log = new AuditLog(database, headFile);
        this.thread = Thread.ofPlatform().daemon().name("jobgate-audit").unstarted(this::run);
    }

    /** Begins to record, with the first change that is not recorded yet. */
    public void start() {
        store.onCommit(changes -> wake());
        thread.start();
    }

    private void wake() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    private void run() {
        while (!isClosed) {
            try {
                follow();
                if (trouble != null) {
                    LOG.info("Jobs are recorded for the audit again");
                    trouble = null;
                }
                if (news.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    // many changes in one transaction: each forces the disk that the store itself waits for
                    Thread.sleep(GATHER);
                }
                news.drainPermits();
            } catch (InterruptedException e) {
                return;
            } catch (SQLException | IOException | RuntimeException e) {
                String why = Reason.of(e);
                if (!why.equals(trouble)) {
                    LOG.error("Jobs cannot be recorded for the audit; it is tried again every second", e);
                    trouble = why;
                }
                pause();
            }
        }
    }

    private void follow() throws SQLException, IOException {
        if (!isCompared) {
            compare();
            isCompared = true;
        }
        recorded = log.cursor();
        List<Change> changes = store.changesAfter(recorded, BATCH);
        while (!changes.isEmpty() && !isClosed) {
            log.write(newsOf(changes), changes.getLast().sequence());
            recorded = changes.getLast().sequence();
            changes = store.changesAfter(recorded, BATCH);
        }
        log.saveHead();
    }

    /**
     * A store that has fewer changes than were recorded of it is another one, or an older copy of it. It gives their numbers to other
     * changes from now on, so these are recorded from its last one on. Done once: what the store has later says nothing.
     */
    private void compare() throws SQLException {
        long last = lastAtFirst;
        long before = log.cursor();
        if (before > last) {
            LOG.warn(
                    "The audit has recorded the changes of jobs up to {}, but the store only has {}: an older copy of it, or a new one,"
                            + " was put in its place. What happens to jobs from now on is recorded; of jobs that only the other store had,"
                            + " no more is.",
                    before,
                    last);
            log.write(List.of(), last);
        }
    }

    private List<AuditLog.News> newsOf(List<Change> changes) throws SQLException {
        List<Change> telling =
                changes.stream().filter(change -> kind(change) != null).toList();
        Set<JobId> ids = new HashSet<>();
        telling.forEach(change -> ids.add(change.job()));
        Map<JobId, Job> jobs = store.findAll(ids);
        Set<JobId> unknown = new HashSet<>();
        for (JobId id : ids) {
            if (!log.knows(id.toString())) {
                unknown.add(id);
            }
        }
        Map<JobId, JobDescription> descriptions = store.descriptions(unknown);
        List<AuditLog.News> all = new ArrayList<>();
        for (Change change : telling) {
            AuditEntry.Kind kind = requireNonNull(kind(change), "the kind is null");
            Job job = jobs.get(change.job());
            if (unknown.remove(change.job())) {
                all.add(news(change, AuditEntry.Kind.CREATED, created(change, job, descriptions.get(change.job()))));
            }
            switch (kind) {
                case CREATED -> {
                    // said already, by the first change that was seen of it
                }
                case QUEUED -> all.add(news(change, kind, AuditRow.queued(change, job)));
                case ENDED -> all.add(news(change, kind, AuditRow.ended(change, job)));
            }
        }
        return all;
    }

    private String created(Change change, @Nullable Job job, @Nullable JobDescription description) {
        String text = description == null ? null : settings.text().apply(description);
        return AuditRow.created(change, job, text, settings.jobServices(), settings.version());
    }

    private static AuditLog.News news(Change change, AuditEntry.Kind kind, String body) {
        return new AuditLog.News(
                change.sequence(), change.job().toString(), change.at().toEpochMilli(), kind, body);
    }

    /** What the change means for the audit; absent where it means nothing. */
    private static AuditEntry.@Nullable Kind kind(Change change) {
        if (change.from() == null) {
            return AuditEntry.Kind.CREATED;
        }
        if (change.event() == JobEvent.LRM_ACCEPTED) {
            return AuditEntry.Kind.QUEUED;
        }
        return !change.from().isTerminal() && change.to().isTerminal() ? AuditEntry.Kind.ENDED : null;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many changes are not recorded yet. */
    public long lag() {
        return Math.max(0, store.lastChange() - recorded);
    }

    /** Why nothing can be recorded at the moment; absent where all is well. */
    public Optional<String> trouble() {
        if (!isClosed && thread.getState() == Thread.State.TERMINATED) {
            return Optional.of("the thread that records them has ended; see the log, and restart the gateway");
        }
        return Optional.ofNullable(trouble);
    }

    /** What shows that records are missing, although jobs are recorded; absent where all is well. */
    public Optional<String> damage() {
        return Optional.ofNullable(log.lost())
                .map(end -> "the entry that was the last one before the service started, " + end
                        + ", is not there any more");
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
                        AuditEntry entry = AuditLog.entry(found);
                        Map<String, Object> view = new LinkedHashMap<>();
                        view.put("number", entry.number());
                        view.put("kind", entry.kind().name());
                        view.put("at", Instant.ofEpochMilli(entry.at()).toString());
                        view.put("hash", entry.hash());
                        entries.add(view);
                    }
                }
            }
            rows.getFirst().put("entries", entries);
            return Optional.of(rows.getFirst());
        });
    }

    /**
     * The jobs that were created in a time, in the order of their ids; which is that of their creation.
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
        try (PreparedStatement statement =
                reader.prepareStatement("SELECT * FROM audit_job WHERE " + where + " ORDER BY job LIMIT ?")) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            statement.setInt(values.size() + 1, limit);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("job", found.getString("job"));
                    row.putAll(AuditLog.row(found));
                    rows.add(row);
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
            throw unreadable(e);
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
            throw unreadable(e);
        }
    }

    private FaultException unreadable(Exception e) {
        return new FaultException(
                Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The audit records in " + database.file() + " cannot be read: " + Reason.of(e) + ".",
                        "See the service's log, and docs/operate/accounting.md."),
                e);
    }

    /** Ends after the transaction that is being written; what it has not recorded yet is recorded after the next start. */
    @Override
    public void close() {
        isClosed = true;
        if (thread.getState() != Thread.State.NEW) {
            // not interrupted at once: that would keep it from saving the end of the chain
            wake();
            try {
                if (!thread.join(END_PATIENCE)) {
                    thread.interrupt();
                    thread.join();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            log.close();
        } catch (SQLException e) {
            LOG.warn("The audit records were not closed cleanly", e);
        }
    }
}
