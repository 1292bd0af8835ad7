// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.store.Change;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the change stream from the saved place on, for ever, and saves its place once a second and at its end. Changes from before the start
 * are reported as one change of each job, the newest: consumers may have been told of those before it already.
 */
public final class ChangeReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeReader.class);
    private static final int BATCH = 1_000;
    private static final Duration SAVE_EVERY = Duration.ofSeconds(1);

    private final JobChanges changes;
    private final DeliveryProgress progress;
    private final Predicate<Change> isWatched;
    private final Consumer<Change> changed;
    private final Semaphore news = new Semaphore(0);
    private final String cursor;
    private final Thread thread;
    private final LongSupplier nanoTime;
    private volatile boolean isClosed;
    private long read;
    private long saved;
    private long savedAt;

    /**
     * A reader that has not started.
     *
     * @param cursor the name under which the place is kept; also that of the thread
     * @param progress what is still to be delivered: the place is never saved past it
     * @param isWatched whether somebody wants to know of the change. What happened while nobody read is told of these only, and until then the
     *     newest of each job is in memory: it must not choose all jobs of the store
     * @param changed is called with each change, in order
     */
    public ChangeReader(
            JobChanges changes,
            String cursor,
            DeliveryProgress progress,
            Predicate<Change> isWatched,
            Consumer<Change> changed) {
        this(changes, cursor, progress, isWatched, changed, System::nanoTime);
    }

    ChangeReader(
            JobChanges changes,
            String cursor,
            DeliveryProgress progress,
            Predicate<Change> isWatched,
            Consumer<Change> changed,
            LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.cursor = requireNonNull(cursor, "cursor is null");
        this.thread = Thread.ofPlatform().daemon().name(cursor).unstarted(this::run);
        this.changes = requireNonNull(changes, "changes is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.isWatched = requireNonNull(isWatched, "isWatched is null");
        this.changed = requireNonNull(changed, "changed is null");
    }

    /** Begins to read. */
    public void start() {
        saved = changes.cursor(cursor);
        read = saved;
        savedAt = nanoTime.getAsLong();
        changes.onCommit(this::wake);
        thread.start();
    }

    private void wake() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    private void run() {
        boolean isCaughtUp = false;
        while (!isClosed) {
            try {
                if (!isCaughtUp) {
                    catchUp(changes.last());
                    isCaughtUp = true;
                }
                follow();
                if (nanoTime.getAsLong() - savedAt >= SAVE_EVERY.toNanos()) {
                    save();
                }
                news.tryAcquire(SAVE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.error("The change stream could not be read; it is tried again", e);
                pause();
            }
        }
    }

    private void catchUp(long end) {
        Map<JobId, Change> newest = new LinkedHashMap<>();
        for (List<Change> batch = next(); !batch.isEmpty() && read < end; batch = next()) {
            for (Change change : batch) {
                if (isWatched.test(change)) {
                    newest.remove(change.job());
                    newest.put(change.job(), change);
                }
            }
            read = batch.getLast().sequence();
        }
        newest.values().forEach(changed);
        progress.read(read);
    }

    private void follow() {
        for (List<Change> batch = next(); !batch.isEmpty() && !isClosed; batch = next()) {
            batch.forEach(changed);
            read = batch.getLast().sequence();
            progress.read(read);
        }
    }

    private List<Change> next() {
        return changes.after(read, BATCH);
    }

    /** Called once a second, not after each change: that would be a second transaction for each, which costs as much as the first. */
    private void save() {
        savedAt = nanoTime.getAsLong();
        long finished = progress.finished();
        if (finished > saved) {
            saved = finished;
            changes.saveCursor(cursor, finished).exceptionally(e -> {
                LOG.warn("The place of {} in the change stream was not saved: {}", cursor, Reason.of(e));
                return null;
            });
        }
    }

    private static void pause() {
        try {
            Thread.sleep(SAVE_EVERY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops to read, and saves the place. */
    @Override
    public void close() {
        isClosed = true;
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(SAVE_EVERY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        save();
    }
}
