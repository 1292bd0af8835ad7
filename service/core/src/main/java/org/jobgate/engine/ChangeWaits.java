// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jobgate.job.JobId;
import org.jobgate.limits.Interlude;
import org.jobgate.store.JobStore;
import org.jobgate.store.OwnerChanges;

/**
 * Who waits for changes: of one job, or of all jobs of an owner. A request that waits gives up its place among those that are worked on, and
 * takes its turn again when it goes on: else those who follow a busy owner would all go on at once, beside the places, and keep everybody
 * else from working.
 */
final class ChangeWaits {

    private final JobStore store;
    private final ChangeWaiters ofJobs;
    private final OwnerWaiters ofOwners;

    ChangeWaits(JobStore store, Interlude interlude) {
        this.store = store;
        this.ofJobs = new ChangeWaiters(interlude);
        this.ofOwners = new OwnerWaiters(interlude);
    }

    /** Begins to watch the commits of the store. */
    void start() {
        store.onCommit(ofJobs::committed);
        store.onCommit(ofOwners::committed);
    }

    OwnerWaiters ofOwners() {
        return ofOwners;
    }

    /** Returns when the job has changed, as the check says, or the time is over. */
    void job(JobId id, BooleanSupplier hasHappened, Duration timeout) {
        ofJobs.await(id, hasHappened, timeout);
    }

    /** The changes of the owner's jobs after the cursor: those that there are, or the next ones that come within the time. */
    OwnerChanges owner(String subject, long cursor, int limit, Duration timeout) {
        return ofOwners.await(subject, cursor, timeout, from -> store.changesOf(subject, from, limit));
    }

    boolean isEnded() {
        return ofJobs.isEnded();
    }

    /** Wakes all who wait; from now on a wait ends at once. */
    void end() {
        ofJobs.end();
        ofOwners.end();
    }
}
