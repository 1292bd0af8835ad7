// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.job.SubmissionKey;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.Limit;
import org.jobgate.store.Change;
import org.jobgate.store.StoreStatistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. It takes what waits, runs it in one transaction, forces that to disk once, and answers all of it:
 *
 * <ul>
 *   <li>while one transaction is forced to disk the next one gathers, so the batch grows with the load;
 *   <li>where other requests are worked on at the moment, it waits a little for their writes ({@link Gathering});
 *   <li>an unchecked exception of a write fails that write alone;
 *   <li>an SQL error that is no outage undoes the transaction, and each of its writes is then tried in one of its own, so that only
 *       the wrong one fails;
 *   <li>an outage fails all writes of the transaction, and the next transaction tries again: no restart is needed.
 * </ul>
 */
final class GroupCommitWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommitWriter.class);

    private final WriterSession session;
    private final Database database;
    private final Executor answers;
    private final Interlude interlude;
    private final Consumer<List<Change>> listeners;
    private final int maxBatch;
    private final Limit queueLimit;
    private final WriteQueue<PendingWrite<?>> queue;
    private final Gathering gathering;
    private final CommitClock commits = new CommitClock();
    private final Thread thread;
    /** The outage that was logged last and is not over; the writer's thread only. */
    private @Nullable String loggedOutage;

    GroupCommitWriter(
            WriterSession session,
            Database database,
            StoreSettings settings,
            Executor answers,
            Interlude interlude,
            Consumer<List<Change>> listeners) {
        this.session = session;
        this.database = database;
        this.answers = answers;
        this.interlude = interlude;
        this.listeners = listeners;
        this.maxBatch = settings.maxBatch();
        this.queueLimit = new Limit("store.maxQueuedWrites", settings.maxQueuedWrites());
        this.queue = new WriteQueue<>(queueLimit);
        this.gathering = new Gathering(more -> queue.await(more, Gathering.MOST));
        this.thread = Thread.ofPlatform().daemon().name("jobgate-store-writer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Hands in a write that is refused where too many wait already: its future fails with {@code LIMIT_EXCEEDED}. */
    <T> CompletableFuture<T> offer(Write<T> write) {
        PendingWrite<T> pending = new PendingWrite<>(write, interlude);
        return answered(pending, queue.offer(pending));
    }

    /** Hands in a write that waits for its place: what the service does by itself must not be lost to a crowd of clients. */
    <T> CompletableFuture<T> put(Write<T> write) {
        PendingWrite<T> pending = new PendingWrite<>(write, interlude);
        boolean ownThread = Thread.currentThread() == thread;
        return answered(pending, ownThread ? queue.force(pending) : queue.put(pending));
    }

    private <T> CompletableFuture<T> answered(PendingWrite<T> pending, WriteQueue.Answer answer) {
        return switch (answer) {
            case TAKEN -> pending.future();
            case FULL ->
                CompletableFuture.failedFuture(new FaultException(queueLimit.noRoom(
                        (long) queue.weight() + pending.weight(), "writes waiting for the store", Later.Room.SERVICE)));
            case CLOSED ->
                CompletableFuture.failedFuture(new FaultException(Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The store is closed.",
                        "Wait until the service has started again.")));
        };
    }

    StoreStatistics statistics() {
        return commits.statistics(queue.weight());
    }

    private List<PendingWrite<?>> next() {
        queue.await();
        gathering.gather(interlude.working(), maxBatch - queue.weight());
        return queue.take(maxBatch);
    }

    private void run() {
        List<PendingWrite<?>> writes = next();
        while (!writes.isEmpty()) {
            try {
                write(writes);
            } catch (RuntimeException | Error e) {
                LOG.error(
                        "The store's writer met an error that it does not know; its {} writes fail", writes.size(), e);
                session.rollback(null);
                failAll(writes, e);
            }
            writes = next();
        }
    }

    private void write(List<PendingWrite<?>> writes) {
        try {
            transact(writes);
        } catch (SQLException e) {
            session.rollback(e);
            Fault outage = e instanceof OutageException known ? known.fault() : database.outage(e);
            if (outage != null) {
                logOnce(outage, e);
                failAll(writes, new FaultException(outage, e));
            } else {
                writeAlone(writes, e);
            }
        } catch (RuntimeException e) {
            session.rollback(null);
            writeAlone(writes, e);
        }
    }

    /** An outage meets every batch until it is over: it is logged when it begins and when its reason changes. */
    private void logOnce(Fault outage, SQLException cause) {
        if (!outage.sentence().equals(loggedOutage)) {
            LOG.error("{} {} Writes fail until then.", outage.sentence(), outage.remedy(), cause);
        }
        loggedOutage = outage.sentence();
    }

    private void logRecovery() {
        if (loggedOutage != null) {
            LOG.info("The store {} works again", database.name());
        }
        loggedOutage = null;
    }

    /** Something in the transaction is wrong, and it is not known what. */
    private void writeAlone(List<PendingWrite<?>> writes, Exception cause) {
        if (writes.size() == 1) {
            LOG.error("The store {} refused a write", database.name(), cause);
            failAll(writes, refused(cause));
            return;
        }
        for (PendingWrite<?> write : writes) {
            write(List.of(write));
        }
    }

    private static Throwable refused(Exception cause) {
        return new FaultException(
                Fault.of(
                        FaultCode.INTERNAL,
                        "The store refused to write this: " + cause.getMessage(),
                        "Report it with the service's log: this is a fault of the service."),
                cause);
    }

    private void failAll(List<PendingWrite<?>> writes, Throwable reason) {
        writes.forEach(write -> write.fail(reason));
        PendingWrite.answer(writes, answers);
    }

    private void transact(List<PendingWrite<?>> writes) throws SQLException {
        long begin = System.nanoTime();
        Batch batch = session.begin();
        batch.fetch(wantedJobs(writes), wantedKeys(writes));
        for (PendingWrite<?> write : writes) {
            write.apply(batch);
        }
        if (batch.isDirty()) {
            session.commit(batch);
            logRecovery();
            commits.committed(weightOf(writes), System.nanoTime() - begin);
        } else {
            session.rollback(null);
        }
        PendingWrite.answer(writes, answers);
        if (!batch.changes().isEmpty()) {
            listeners.accept(List.copyOf(batch.changes()));
        }
    }

    private static int weightOf(List<PendingWrite<?>> writes) {
        return writes.stream().mapToInt(PendingWrite::weight).sum();
    }

    private static Set<JobId> wantedJobs(List<PendingWrite<?>> writes) {
        Set<JobId> wanted = new HashSet<>();
        writes.forEach(pending -> wanted.addAll(pending.write().jobs()));
        return wanted;
    }

    private static Set<SubmissionKey> wantedKeys(List<PendingWrite<?>> writes) {
        Set<SubmissionKey> wanted = new HashSet<>();
        writes.forEach(pending -> wanted.addAll(pending.write().keys()));
        return wanted;
    }

    /** Writes what waits, then ends. The session stays open. */
    @Override
    public void close() {
        queue.close();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                // what was acknowledged to nobody yet is still written; the caller learns of the interrupt afterwards
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
