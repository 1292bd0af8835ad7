// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;

/** The changes that the store keeps. */
final class StoredChanges implements JobChanges {

    private final JobStore store;

    StoredChanges(JobStore store) {
        this.store = requireNonNull(store, "store is null");
    }

    @Override
    public long last() {
        return store.lastChange();
    }

    @Override
    public List<Change> after(long cursor, int limit) {
        return store.changesAfter(cursor, limit);
    }

    @Override
    public long cursor(String name) {
        return store.cursor(name);
    }

    @Override
    public CompletableFuture<Void> saveCursor(String name, long sequence) {
        return store.saveCursor(name, sequence);
    }

    @Override
    public void onCommit(Runnable listener) {
        store.onCommit(changes -> listener.run());
    }

    @Override
    public Optional<Job> job(JobId id, String owner) {
        return store.find(id).filter(job -> job.owner().subject().equals(owner));
    }

    @Override
    public Optional<JobDescription> description(JobId id, String owner) {
        return job(id, owner).flatMap(job -> store.description(id));
    }
}
