// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jobgate.job.Reason;
import org.jobgate.store.Change;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the change stream and writes what it tells into the records, on one thread. How much of it is held in memory at once is bounded
 * in bytes: descriptions may be large, and many jobs may come at once.
 */
final class AuditRecorder implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditRecorder.class);

    private static final int BATCH = 1_000;

    /** What others have told that is not written yet. */
    private static final int MOST_TOLD = 10_000;

    private static final String ENDED = "the audit has ended";
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PURGE_EVERY = Duration.ofMinutes(1);
    private static final Duration PURGE_PAUSE = Duration.ofMillis(5);
    private static final Duration GATHER = Duration.ofMillis(250);

    /** While jobs come fast: each transaction forces the disk that their submissions wait for, and four times as many entries cost it no more. */
    private static final Duration GATHER_MANY = Duration.ofSeconds(1);

    /** So many changes at once show that jobs come fast. */
    private static final int MANY = 100;

    private final JobStore store;
    private final AuditSettings settings;
    private final AuditLog log;
    private final AuditSlices slices;
    private final FreshJobs fresh = new FreshJobs();
    private final Semaphore news = new Semaphore(0);

    /** Has a permit when somebody waits for what is to be recorded. */
    private final Semaphore urgent = new Semaphore(0);

    private final Queue<Told> told = new ArrayBlockingQueue<>(MOST_TOLD);
    /** The last change of the store when the records were opened. */
    private final long lastAtFirst;

    private long nextPurge = System.nanoTime();

    /** Whether the store was found to be the one that was recorded; the recording thread only. */
    private boolean isCompared;

    private volatile boolean isClosed;
    private volatile long recorded;
    private volatile @Nullable String trouble;

    AuditRecorder(JobStore store, AuditSettings settings, AuditLog log) {
        this.store = store;
        this.settings = settings;
        this.log = log;
        this.slices = new AuditSlices(store, settings, log, fresh);
        this.lastAtFirst = store.lastChange();
    }

    /** An entry that is not of the change stream, and who is told when it is written. */
    private record Told(AuditLog.News news, Consumer<Optional<String>> done) {}

    /**
     * Adds an entry that no change of a job tells.
     *
     * @param done is told when it is on disk, or why it will not be: too many wait already, or this has ended
     */
    void add(AuditLog.News entry, Consumer<Optional<String>> done) {
        if (isClosed || !told.offer(new Told(entry, done))) {
            done.accept(Optional.of(isClosed ? ENDED : MOST_TOLD + " entries wait to be written already"));
        }
        wake();
        if (entry.kind() == AuditEntry.Kind.ACT) {
            hurry(); // an administrator waits for it
        }
    }

    private void hurry() {
        if (urgent.availablePermits() == 0) {
            urgent.release();
        }
    }

    /** Jobs that were just stored, before the change stream tells of them. */
    void created(List<CreatedJob> jobs) {
        if (!isClosed) {
            fresh.add(jobs);
            if (fresh.isHalfFull()) {
                hurry();
            }
        }
    }

    void wake() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    @Override
    public void run() {
        while (!isClosed) {
            try {
                long gather = (follow() >= MANY ? GATHER_MANY : GATHER).toMillis();
                boolean hasMoreToPurge = purge();
                if (trouble != null) {
                    LOG.info("Jobs are recorded for the audit again");
                    trouble = null;
                }
                // what is new was gathered while the purge went on
                if (!hasMoreToPurge && news.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    // many changes in one transaction: each forces the disk that the store itself waits for
                    var unused = urgent.tryAcquire(gather, TimeUnit.MILLISECONDS);
                }
                news.drainPermits();
                urgent.drainPermits();
            } catch (InterruptedException e) {
                return;
            } catch (SQLException | IOException | RuntimeException | Error e) {
                // an Error too, such as a full heap: it may pass, and what is not recorded then is recorded later
                String why = Reason.of(e);
                if (!why.equals(trouble)) {
                    LOG.error("Jobs cannot be recorded for the audit; it is tried again every second", e);
                    trouble = why;
                }
                reopen();
                pause();
            }
        }
    }

    /** A connection that has failed may go on failing. */
    private void reopen() {
        try {
            log.close();
        } catch (SQLException e) {
            LOG.debug("The connection that failed was not closed cleanly", e);
        }
    }

    /** Records all changes that there are; answers how many that were. */
    private long follow() throws SQLException, IOException {
        if (!isCompared) {
            compare();
            isCompared = true;
        }
        log.keepUp(System.currentTimeMillis());
        recorded = log.cursor();
        long before = recorded;
        List<Change> changes = store.changesAfter(recorded, BATCH);
        while (!changes.isEmpty() && !isClosed) {
            AuditSlices.Slice slice = slices.of(changes);
            log.write(slice.news(), slice.upTo());
            long upTo = slice.upTo();
            List<Change> done =
                    changes.stream().filter(change -> change.sequence() <= upTo).toList();
            slices.forget(done);
            recorded = upTo;
            writeTold(
                    false); // however much changes, who waits for an act to be on record waits for no more than a batch
            changes = store.changesAfter(recorded, BATCH);
        }
        writeTold(true);
        log.saveHead();
        return recorded - before;
    }

    /**
     * A little of what is too old, again and again, for as long as what is new may wait to be gathered; then not for a while.
     *
     * @return whether it has stopped for what is new, and there may be more to take out
     */
    private boolean purge() throws SQLException, IOException {
        if (settings.keeping().first() == null || System.nanoTime() - nextPurge < 0) {
            return false;
        }
        long end = System.nanoTime() + GATHER.toNanos();
        while (!isClosed && log.purge(settings.keeping(), System.currentTimeMillis())) {
            log.saveHead();
            if (System.nanoTime() - end >= 0 && (store.lastChange() > recorded || !told.isEmpty())) {
                return true;
            }
            LockSupport.parkNanos(PURGE_PAUSE.toNanos());
        }
        nextPurge = System.nanoTime() + PURGE_EVERY.toNanos();
        return false;
    }

    /** @param isCaughtUp whether all changes are recorded: before, what is told of a job that is not recorded yet waits, with all behind it */
    private void writeTold(boolean isCaughtUp) throws SQLException {
        List<Told> some = new ArrayList<>();
        List<AuditLog.News> entries = new ArrayList<>();
        for (Told one : told) {
            boolean hasPlace =
                    one.news().kind().isOfNoJob() || log.knows(one.news().job());
            if (some.size() == BATCH || (!hasPlace && !isCaughtUp)) {
                break;
            }
            some.add(one);
            // of a job that is purged from the records meanwhile there is nothing to add to
            if (hasPlace) {
                entries.add(one.news());
            }
        }
        if (some.isEmpty()) {
            return;
        }
        log.write(entries, recorded);
        some.forEach(one -> {
            told.remove();
            one.done().accept(Optional.empty());
        });
    }

    /**
     * A store that has fewer changes than were recorded of it is another one, or an older copy of it. It gives their numbers to other
     * changes from now on, so these are recorded from its last one on. Done once: later content of the store tells nothing about this.
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

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long recorded() {
        return recorded;
    }

    long entries() {
        return log.entries();
    }

    boolean isClosed() {
        return isClosed;
    }

    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    Optional<String> damage() {
        return Optional.ofNullable(log.lost())
                .map(end -> "the entry that was the last one before the service started, " + end
                        + ", is not there any more");
    }

    /** Its thread comes to an end. */
    void end() {
        isClosed = true;
        wake();
        hurry();
    }

    /** Its thread has ended. */
    void close() {
        for (Told one = told.poll(); one != null; one = told.poll()) {
            one.done().accept(Optional.of(ENDED));
        }
        try {
            log.close();
        } catch (SQLException e) {
            LOG.warn("The audit records were not closed cleanly", e);
        }
    }

    /** The entry of something that no change of a job tells. */
    static AuditLog.News entry(String job, AuditEntry.Kind kind, AuditRow.Said said) {
        return new AuditLog.News(0, requireNonNull(job), Instant.now().toEpochMilli(), kind, said);
    }
}
