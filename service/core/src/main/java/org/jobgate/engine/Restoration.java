// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What an engine does about a store that is that of a backup: the LRMs may know more than it does. */
public final class Restoration {

    private final EngineContext context;
    private final Admission admission;
    private final AfterRestore afterRestore;
    private final TakeUp takeUp;
    private Set<String> alsoWatched = Set.of();

    Restoration(
            EngineContext context,
            Admission admission,
            AfterRestore afterRestore,
            LrmWatch watch,
            EngineSettings settings,
            Clock clock) {
        this.context = requireNonNull(context, "context is null");
        this.admission = requireNonNull(admission, "admission is null");
        this.afterRestore = requireNonNull(afterRestore, "afterRestore is null");
        this.takeUp = new TakeUp(context, watch, settings.cancelRetry(), clock);
    }

    /**
     * Says that the store is that of a backup: what the LRMs know beyond it is gathered, jobs of the store are looked up in them, and a
     * submission that comes again after the backup had it gets its job of before. To be called before the engine's start, and at each start
     * for as long as clients may repeat submissions of before.
     *
     * @param backupTaken when the backup was taken
     * @param restoredAt when it was put in place: jobs that are made later are in the store
     * @param accounts local accounts that are watched although the store may have no job of theirs
     * @param isGathering whether the LRMs may still tell of jobs that the store does not know: then the gateway takes no new jobs, and makes
     *     none by itself, until {@link JobEngine#resume}
     */
    public void begin(Instant backupTaken, Instant restoredAt, Set<String> accounts, boolean isGathering) {
        afterRestore.begin(backupTaken, restoredAt);
        context.gathering(isGathering);
        admission.drain(isGathering);
        alsoWatched = Set.copyOf(accounts);
    }

    /** What is known since the restore; empty where the store is no restored one. */
    public Optional<RestoreReport> report() {
        return afterRestore.isOn()
                ? Optional.of(takeUp.report(afterRestore.left(), afterRestore.tooMany()))
                : Optional.empty();
    }

    Set<String> alsoWatched() {
        return alsoWatched;
    }

    void start() {
        if (afterRestore.isOn()) {
            takeUp.start(context.store());
        }
    }

    void close() {
        takeUp.close();
    }
}
