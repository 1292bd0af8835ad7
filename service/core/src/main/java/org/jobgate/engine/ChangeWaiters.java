// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jobgate.job.JobId;
import org.jobgate.limits.Interlude;
import org.jobgate.store.Change;

/** Those who wait for a change of one job. Woken by the commit, without a look at the store for each change. */
final class ChangeWaiters {

    private final Interlude interlude;
    private final ConcurrentHashMap<JobId, Set<CountDownLatch>> waiting = new ConcurrentHashMap<>();
    private volatile boolean isEnded;

    /** @param interlude is told by each thread that it waits */
    ChangeWaiters(Interlude interlude) {
        this.interlude = requireNonNull(interlude, "interlude is null");
    }

    void committed(List<Change> changes) {
        for (Change change : changes) {
            Set<CountDownLatch> latches = waiting.get(change.job());
            if (latches != null) {
                latches.forEach(CountDownLatch::countDown);
            }
        }
    }

    /** Wakes all who wait; from now on a wait ends at once. */
    void end() {
        isEnded = true;
        waiting.values().forEach(latches -> latches.forEach(CountDownLatch::countDown));
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Waits until the job changes or the time is over, unless it has happened already, as the check made after joining says. */
    void await(JobId id, BooleanSupplier hasHappened, Duration timeout) {
        CountDownLatch latch = new CountDownLatch(1);
        waiting.compute(id, (key, latches) -> {
            Set<CountDownLatch> set = latches == null ? ConcurrentHashMap.newKeySet() : latches;
            set.add(latch);
            return set;
        });
        try {
            if (!hasHappened.getAsBoolean() && !isEnded) {
                Interlude.await(interlude, latch, timeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.computeIfPresent(id, (key, latches) -> {
                latches.remove(latch);
                return latches.isEmpty() ? null : latches;
            });
        }
    }
}
