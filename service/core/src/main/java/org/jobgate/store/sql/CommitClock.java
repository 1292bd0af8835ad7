// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Duration;
import org.jobgate.store.StoreStatistics;

/** What the writer has committed so far, and how long it took. Written by one thread, read by many. */
final class CommitClock {

    private record Totals(
            long commits, long changes, int lastBatch, long lastNanos, long totalNanos, long slowestNanos) {}

    private volatile Totals totals = new Totals(0, 0, 0, 0, 0, 0);

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the writer's thread calls it
    void committed(int writes, long nanos) {
        Totals old = totals;
        totals = new Totals(
                old.commits + 1,
                old.changes + writes,
                writes,
                nanos,
                old.totalNanos + nanos,
                Math.max(old.slowestNanos, nanos));
    }

    StoreStatistics statistics(int queued) {
        Totals now = totals;
        return new StoreStatistics(
                now.commits,
                now.changes,
                queued,
                now.lastBatch,
                Duration.ofNanos(now.lastNanos),
                Duration.ofNanos(now.totalNanos),
                Duration.ofNanos(now.slowestNanos));
    }
}
