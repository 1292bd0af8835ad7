// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jobgate.limits.Interlude;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;

/**
 * Those who wait for the next change of an owner's jobs. A commit only wakes them; what has changed each reads from the store by its own
 * cursor, so nothing is kept for one that reads slowly.
 */
final class OwnerWaiters {

    private final Interlude interlude;
    private final ConcurrentHashMap<String, Set<Waiter>> waiting = new ConcurrentHashMap<>();
    /** Everybody has been woken for the changes up to this one. */
    private volatile long announced;

    private volatile boolean isEnded;

    /** @param interlude is told by each thread that it waits */
    OwnerWaiters(Interlude interlude) {
        this.interlude = requireNonNull(interlude, "interlude is null");
    }

    private static final class Waiter {
        private final CountDownLatch latch = new CountDownLatch(1);
        /** The first change that it was woken for; 0 before. */
        private final AtomicLong first = new AtomicLong();

        void wake(long sequence) {
            first.compareAndSet(0, sequence);
            latch.countDown();
        }
    }

    void committed(List<Change> changes) {
        for (Change change : changes) {
            Set<Waiter> waiters = waiting.get(change.subject());
            if (waiters != null) {
                waiters.forEach(waiter -> waiter.wake(change.sequence()));
            }
        }
        announced = changes.getLast().sequence();
    }

    /** Something else of the owner's has changed than a job: who waits is to look. */
    void wake(String subject) {
        Set<Waiter> waiters = waiting.get(subject);
        if (waiters != null) {
            waiters.forEach(waiter -> waiter.latch.countDown());
        }
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Wakes all who wait; from now on a wait ends at once. */
    void end() {
        isEnded = true;
        waiting.values().forEach(waiters -> waiters.forEach(waiter -> waiter.latch.countDown()));
    }

    /**
     * Waits for a change of the owner's jobs after the cursor, and answers what there is then.
     *
     * @param changesAfter reads the owner's changes after a cursor
     */
    OwnerChanges await(String subject, long cursor, Duration timeout, LongFunction<OwnerChanges> changesAfter) {
        Waiter waiter = new Waiter();
        waiting.compute(subject, (key, waiters) -> {
            Set<Waiter> set = waiters == null ? ConcurrentHashMap.newKeySet() : waiters;
            set.add(waiter);
            return set;
        });
        try {
            OwnerChanges before = changesAfter.apply(cursor);
            if (!before.changes().isEmpty() || !before.isCaughtUp() || isEnded) {
                return before;
            }
            Interlude.await(interlude, waiter.latch, timeout);
            // in this order: nothing up to what was announced is the owner's where nobody has woken this waiter by then
            long quietUpTo = announced;
            long first = waiter.first.get();
            return changesAfter.apply(Math.max(before.cursor(), first == 0 ? quietUpTo : first - 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new OwnerChanges(List.of(), cursor, false);
        } finally {
            waiting.computeIfPresent(subject, (key, waiters) -> {
                waiters.remove(waiter);
                return waiters.isEmpty() ? null : waiters;
            });
        }
    }
}
