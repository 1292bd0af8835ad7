// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one stage of the lifecycle.
 *
 * <ul>
 *   <li>At most {@code workers} batches are worked on at once; the number can be changed at any time.
 *   <li>Owners take turns: an owner with one job waits for one batch of each other owner, however many jobs they have.
 *   <li>A job is never in two batches of the pool at once. Offered again while it is worked on, it is worked on once more afterwards.
 *   <li>A batch holds jobs of one owner and one group (LRM and account) only.
 *   <li>The queue is bounded. Jobs that do not fit stay in the store, and {@link #hasOverflowed} says that they must be looked for there.
 *   <li>A gate may say that a job must not begin yet; it stays in its place in the queue.
 *   <li>Where a pool is made so, at most one worker waits for one group, and slow groups never have all workers.
 *   <li>A group can be paused, e.g. because its LRM does not answer: its jobs stay queued, the others go on.
 * </ul>
 */
public final class WorkQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private static final long IDLE_NANOS = 60_000_000_000L;
    private static final long PAUSE_CHECK_NANOS = 100_000_000L;

    /**
     * A job that waits for this stage.
     *
     * @param queue the queue of the LRM that it names, where somebody counts by that
     * @param urgent whether no gate may hold it up: it is not to begin, but to be taken back
     */
    record Item(
            JobId job, String owner, String group, @Nullable String queue, boolean urgent) {
        Item(JobId job, String owner, String group) {
            this(job, owner, group, null, false);
        }

        boolean goesWith(Item other) {
            return group.equals(other.group) && urgent == other.urgent;
        }
    }

    /** What the stage does. It must handle what goes wrong with its jobs; what it throws is logged. */
    @FunctionalInterface
    interface Work {
        void on(String group, List<JobId> jobs) throws InterruptedException;
    }

    private final String name;
    private final int queueLimit;
    private final Work work;
    private final WorkGate gate;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final Backlog backlog;
    private final Set<JobId> running = new HashSet<>();
    private final Map<JobId, Item> again = new HashMap<>();

    /** What is to be done when the batch that has the job is done. */
    private final Map<JobId, Runnable> afterwards = new HashMap<>();

    /** Absent where any number of workers may be at work for one group. */
    private @Nullable GroupsAtWork groups;

    private int workers;
    private int threads;
    private int busy;
    private boolean overflowed;
    private boolean closed;
    private long batches;

    WorkQueue(String name, int workers, int queueLimit, int batchLimit, Work work) {
        this(name, workers, queueLimit, batchLimit, WorkGate.OPEN, work);
    }

    WorkQueue(String name, int workers, int queueLimit, int batchLimit, WorkGate gate, Work work) {
        this.gate = requireNonNull(gate, "gate is null");
        this.name = requireNonNull(name, "name is null");
        this.queueLimit = queueLimit;
        this.backlog = new Backlog(batchLimit, gate);
        this.work = requireNonNull(work, "work is null");
        resize(workers);
    }

    /** From now on at most one worker waits for one group. */
    WorkQueue oneForEachGroup() {
        lock.lock();
        try {
            groups = new GroupsAtWork();
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** The one who is at work for the group waits for it no more: another may begin, although the batch is not done. */
    void free(String group) {
        lock.lock();
        try {
            if (groups != null) {
                groups.free(group, System.nanoTime());
                wakeNext();
            }
        } finally {
            lock.unlock();
        }
    }

    public String name() {
        return name;
    }

    /**
     * Sets how many batches may be worked on at once. Workers above a smaller number end after their batch.
     *
     * @throws IllegalArgumentException if it is not 1 to 1024
     */
    public void resize(int newWorkers) {
        if (newWorkers < 1 || newWorkers > 1024) {
            throw new IllegalArgumentException("workers of " + name + ": " + newWorkers + "; it must be 1 to 1024");
        }
        lock.lock();
        try {
            workers = newWorkers;
            while (threads < workers && !closed) {
                threads++;
                Thread.ofVirtual().name("stage-" + name + "-" + threads).start(this::serve);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Queues the job; one that does not fit is dropped here and remembered as an overflow. */
    void offer(Item item) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (backlog.replace(item)) {
                changed.signal(); // it may be urgent now
            } else if (running.contains(item.job())) {
                again.put(item.job(), item);
            } else if (backlog.size() >= queueLimit) {
                overflowed = true;
            } else {
                enqueue(item);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Does it when no batch of this pool has the job: at once, or as soon as the one that has it is done.
     *
     * @param what must return at once; of several for one job the last one is done
     */
    void whenFree(JobId job, Runnable what) {
        lock.lock();
        try {
            if (running.contains(job)) {
                afterwards.put(job, what);
                return;
            }
        } finally {
            lock.unlock();
        }
        what.run();
    }

    /**
     * There may be work that could not begin before. One worker looks: if it finds some it wakes the next one, and if not the others would find
     * none either. Woken all together, each of them would look through all that waits, at the end of each batch.
     */
    private void wakeNext() {
        if (closed) {
            changed.signalAll(); // who waits for the end may be among them
        } else if (backlog.size() > 0) {
            changed.signal();
        }
    }

    private void enqueue(Item item) {
        backlog.add(item);
        if (groups == null || !groups.isHeld(item.group())) {
            changed.signal(); // else it is looked for when its group is free
        }
    }

    /** Leaves the group's jobs in the queue for this long. */
    void pause(String group, Duration howLong) {
        lock.lock();
        try {
            backlog.pauses().put(group, howLong);
        } finally {
            lock.unlock();
        }
    }

    /** Leaves this one job in the queue for this long. */
    void pause(JobId job, Duration howLong) {
        lock.lock();
        try {
            backlog.pauses().put(job, howLong);
        } finally {
            lock.unlock();
        }
    }

    /** The gate may let jobs in that it did not let in before. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether jobs were dropped since the last call for want of room, and there is room again. */
    boolean hasOverflowed() {
        lock.lock();
        try {
            boolean answer = overflowed && backlog.size() <= queueLimit / 2;
            if (answer) {
                overflowed = false;
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /** Figures of this moment. */
    public Figures figures() {
        lock.lock();
        try {
            return new Figures(name, workers, busy, backlog.size(), queueLimit, backlog.owners(), batches);
        } finally {
            lock.unlock();
        }
    }

    /**
     * What a pool is doing.
     *
     * @param busy batches worked on now
     * @param queued jobs waiting
     * @param owners whose jobs wait
     * @param batches worked on since the start
     */
    public record Figures(String name, int workers, int busy, int queued, int queueLimit, int owners, long batches) {}

    private void serve() {
        try {
            for (List<Item> batch = take(); !batch.isEmpty(); batch = take()) {
                workOn(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("A worker of stage {} was interrupted and ends", name);
        }
    }

    private void workOn(List<Item> batch) throws InterruptedException {
        String group = batch.getFirst().group();
        try {
            work.on(group, batch.stream().map(Item::job).toList());
        } catch (RuntimeException e) {
            LOG.error("Stage {} failed on {} jobs of {}; they are looked at again", name, batch.size(), group, e);
            lookAgain();
        } finally {
            done(batch);
        }
    }

    /** Asks for the store to be looked through, as if something had not had room. */
    void lookAgain() {
        lock.lock();
        try {
            overflowed = true;
        } finally {
            lock.unlock();
        }
    }

    /** The next batch; empty when this worker is to end. */
    private List<Item> take() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                if (closed || threads > workers) {
                    threads--;
                    changed.signalAll();
                    return List.of();
                }
                List<Item> batch = backlog.next(groups, workers, System.nanoTime());
                if (!batch.isEmpty()) {
                    batch.forEach(item -> running.add(item.job()));
                    busy++;
                    batches++;
                    wakeNext();
                    return batch;
                }
                changed.awaitNanos(backlog.pauses().isEmpty() ? IDLE_NANOS : PAUSE_CHECK_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void done(List<Item> batch) {
        List<Runnable> next = new ArrayList<>();
        lock.lock();
        try {
            busy--;
            String group = batch.getFirst().group();
            gate.done(group);
            if (groups != null) {
                groups.done(group, batch, System.nanoTime());
            }
            for (Item item : batch) {
                running.remove(item.job());
                Optional.ofNullable(afterwards.remove(item.job())).ifPresent(next::add);
                Item repeated = again.remove(item.job());
                if (repeated != null && !closed) {
                    enqueue(repeated);
                }
            }
            wakeNext();
        } finally {
            lock.unlock();
        }
        next.forEach(Runnable::run);
    }

    /** Takes no more work, and waits until the batches in hand are done or the time is over; answers whether they were. */
    boolean drain(Duration timeout) {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            long left = timeout.toNanos();
            while (busy > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return busy == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        if (!drain(Duration.ofSeconds(10))) {
            LOG.warn("Stage {} was closed with work in hand; it goes on at the next start", name);
        }
    }
}
