// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.trace;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.notify.ChangeReader;
import org.jobgate.notify.DeliveryProgress;
import org.jobgate.notify.JobChanges;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;

/** Has the trace of each job made when it is over, from its history in the store: over restarts too, but not of what was over long before. */
public final class JobTraces implements AutoCloseable {

    private static final String CURSOR = "traces";

    /** Jobs that ended longer ago than this get no traces: tracing was off then. */
    private static final Duration LATEST = Duration.ofHours(1);

    private final JobStore store;
    private final Tracing tracing;
    private final ChangeReader reader;
    private final Instant first;

    /** A reader that has not started. */
    public JobTraces(JobStore store, Tracing tracing, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.tracing = requireNonNull(tracing, "tracing is null");
        this.first = clock.instant().minus(LATEST);
        this.reader = new ChangeReader(
                JobChanges.of(store), CURSOR, new DeliveryProgress(), this::isTracedEnd, this::changed);
    }

    /** Begins to read. */
    public void start() {
        reader.start();
    }

    /** Only jobs that ended lately are traced: when tracing is switched on the store may have millions of older ones. */
    private boolean isTracedEnd(Change change) {
        return change.to().isTerminal()
                && change.from() != change.to()
                && !change.at().isBefore(first)
                && tracing.isTraced(change.job());
    }

    private void changed(Change change) {
        if (!isTracedEnd(change)) {
            return;
        }
        List<Change> history = store.changesOf(change.job());
        if (!history.isEmpty()) {
            store.find(change.job()).ifPresent(job -> tracing.over(job, history));
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
