// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;

/**
 * The changes of all jobs in their order, for those who tell clients about them, and what such a message says of the job. There is no
 * caller whom the site's policy could be asked about: it was asked when the owner subscribed.
 */
public interface JobChanges {

    /** The sequence number of the newest committed change; 0 if there is none. */
    long last();

    /** Changes with a greater sequence number than the cursor, in order. */
    List<Change> after(long cursor, int limit);

    /** The named reader's saved place; 0 if it never saved one. */
    long cursor(String name);

    CompletableFuture<Void> saveCursor(String name, long sequence);

    /** Adds a listener that is called after each commit, on the writer's thread. It must return at once and must not throw. */
    void onCommit(Runnable listener);

    /** The job as it stands, if this subject owns it, even if its owner has destroyed it; empty once it is forgotten. */
    Optional<Job> job(JobId id, String owner);

    /** The job's description as it was submitted, if this subject owns it. */
    Optional<JobDescription> description(JobId id, String owner);

    /** Those of the jobs in the store. */
    static JobChanges of(JobStore store) {
        return new StoredChanges(store);
    }
}
