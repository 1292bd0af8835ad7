// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.limits.Limit;

/** Writes that wait for the writer, at most so many as the limit says. Safe for many threads. */
final class WriteQueue<P extends WriteQueue.Weighted> {

    /** Something that takes places in the queue. */
    interface Weighted {
        int weight();
    }

    private final Limit limit;
    private final ArrayDeque<P> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private int weight;
    private boolean closed;

    /** The writer is woken when so much waits. */
    private int wanted = 1;

    WriteQueue(Limit limit) {
        this.limit = limit;
    }

    /** How a caller was answered. */
    enum Answer {
        TAKEN,
        FULL,
        CLOSED
    }

    /** Adds it if there is room. */
    Answer offer(P write) {
        lock.lock();
        try {
            if (closed) {
                return Answer.CLOSED;
            }
            if (weight + write.weight() > limit.value()) {
                return Answer.FULL;
            }
            add(write);
            return Answer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /** Adds it, after waiting for room. */
    Answer put(P write) {
        lock.lock();
        try {
            while (!closed && weight >= limit.value()) {
                notFull.awaitUninterruptibly();
            }
            return addUnlessClosed(write);
        } finally {
            lock.unlock();
        }
    }

    /** Adds it, room or not: for the writer's own thread, which would wait for itself. */
    Answer force(P write) {
        lock.lock();
        try {
            return addUnlessClosed(write);
        } finally {
            lock.unlock();
        }
    }

    private Answer addUnlessClosed(P write) {
        if (closed) {
            return Answer.CLOSED;
        }
        add(write);
        return Answer.TAKEN;
    }

    private void add(P write) {
        waiting.addLast(write);
        weight += write.weight();
        if (weight >= wanted) {
            notEmpty.signal();
        }
    }

    /** Waits for the first write, or until the queue is closed. */
    void await() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                notEmpty.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for others to come to those that wait already.
     *
     * @param more how many may come; when so many have, this returns
     * @return how many have come
     */
    int await(int more, Duration most) {
        lock.lock();
        try {
            int before = weight;
            wanted = before + more;
            long left = most.toNanos();
            while (weight < wanted && !closed && left > 0) {
                left = notEmpty.awaitNanos(left);
            }
            return weight - before;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        } finally {
            wanted = 1;
            lock.unlock();
        }
    }

    /** Takes those that wait, the oldest first, up to this weight and at least one; after {@link #await}, empty means closed and all taken. */
    List<P> take(int maxWeight) {
        lock.lock();
        try {
            return takeUpTo(maxWeight);
        } finally {
            lock.unlock();
        }
    }

    private List<P> takeUpTo(int maxWeight) {
        List<P> taken = new ArrayList<>();
        int takenWeight = 0;
        while (!waiting.isEmpty()) {
            int next = waiting.getFirst().weight();
            if (!taken.isEmpty() && takenWeight + next > maxWeight) {
                break;
            }
            taken.add(waiting.removeFirst());
            takenWeight += next;
        }
        weight -= takenWeight;
        notFull.signalAll();
        return taken;
    }

    int weight() {
        lock.lock();
        try {
            return weight;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
