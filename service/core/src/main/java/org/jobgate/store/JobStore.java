// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;

/**
 * The durable record of jobs. Every write goes through one group-commit writer and its future completes only when the change has been
 * forced to disk; reads see committed data only and never wait for the writer.
 *
 * <p>A write that cannot be made durable completes its future with a {@link org.jobgate.job.FaultException} of code
 * {@code STORE_UNAVAILABLE}; nothing of it is kept. Live jobs and finished jobs lie in different tables, which no caller notices.
 */
public interface JobStore extends DoorRecords, AutoCloseable {

    /** How many jobs one call may name. */
    int MAX_IDS = 10_000;

    /** Stores the job unless its key is there already. */
    CompletableFuture<CreateResult> create(NewJob newJob);

    /** Stores many jobs in one transaction where possible; one answer for each, in order. */
    CompletableFuture<List<CreateResult>> createAll(List<NewJob> newJobs);

    /**
     * Changes one job. The update is called on the writer's thread with the job as it is then, so that updates of one job never
     * overlap; it must be quick and free of side effects, for it may be called again.
     *
     * @return the job afterwards, or empty if there is no such job; fails with what the update throws
     */
    CompletableFuture<Optional<Job>> update(JobId id, JobUpdate update);

    /**
     * Changes many jobs in one transaction, each as {@link #update} does. Where the update throws for one of them, or a step is not
     * allowed, none is changed and the future fails. A job that is named twice is changed once.
     *
     * @param ids at most {@value #MAX_IDS}
     * @return for each id, in order: the job afterwards, or empty if there is no such job
     */
    CompletableFuture<List<Optional<Job>>> updateAll(List<JobId> ids, JobUpdate update);

    /** The job, live or finished, unless it was purged. */
    Optional<Job> find(JobId id);

    /** Those of the jobs that exist. At most {@value #MAX_IDS} ids at a time. */
    Map<JobId, Job> findAll(Collection<JobId> ids);

    /** The job that was created under this key. */
    Optional<Job> find(SubmissionKey key);

    /**
     * The jobs whose ids begin or end with these digits, newest first; for people, who copy a part of an id.
     *
     * @param digits 4 to 32 small hexadecimal digits, without dashes
     * @param limit at most this many
     */
    List<JobId> findByPart(String digits, int limit);

    Optional<JobDescription> description(JobId id);

    /** The descriptions of those of the jobs that exist. At most {@value #MAX_IDS} ids at a time. */
    Map<JobId, JobDescription> descriptions(Collection<JobId> ids);

    /** Jobs that match, in the order that the query says. */
    List<Job> list(JobQuery query);

    /** The ids of those jobs, in the same order: a fifth of the work. */
    List<JobId> ids(JobQuery query);

    /** How many live jobs there are. As the other counts it is kept up by the writer and costs no query. */
    long countLive();

    /** How many live jobs are in each state; states without jobs are absent. */
    Map<JobState, Long> countByState();

    /** How many live jobs the subject owns. */
    long countLive(String subject);

    /**
     * The owners of live jobs, those with the most of them first and those with as many by name.
     *
     * @param limit how many at the most
     */
    List<OwnerLoad> busiestOwners(int limit);

    /** The accounts that have live jobs in the LRM. */
    List<String> accountsWithLiveJobs(String lrm);

    /** The groups of jobs. */
    GroupStore groups();

    /** Changes with a greater sequence number than the cursor, in order. */
    List<Change> changesAfter(long cursor, int limit);

    /**
     * Changes of the jobs of one owner with a greater sequence number than the cursor, in order. One call looks at a bounded part of
     * the stream: many jobs of others keep nobody waiting.
     *
     * @param limit at most so many changes, 1 to 10,000
     * @throws org.jobgate.job.FaultException {@code CURSOR_EXPIRED} where changes after the cursor may have been purged, or the
     *     cursor is beyond the end of the stream
     */
    OwnerChanges changesOf(String subject, long cursor, int limit);

    /** All changes of one job that are still kept, in order. */
    List<Change> changesOf(JobId id);

    /** The sequence number of the newest committed change; 0 if there is none. */
    long lastChange();

    /** The named reader's saved place in the change stream; 0 if it never saved one. */
    long cursor(String name);

    CompletableFuture<Void> saveCursor(String name, long sequence);

    /**
     * Forgets finished jobs that ended before the time, with their keys, changes and records.
     *
     * @return how many jobs were forgotten, at most the limit
     */
    default CompletableFuture<Integer> purge(Instant endedBefore, int limit) {
        return purge(endedBefore, limit, Set.of());
    }

    /** The same, and forgets none of these, whenever they ended. */
    CompletableFuture<Integer> purge(Instant endedBefore, int limit, Set<JobId> kept);

    /**
     * Adds a listener that is called with committed changes, in order, on the writer's thread. It must return at once and must not throw.
     */
    void onCommit(Consumer<List<Change>> listener);

    /**
     * Adds a listener that is called with jobs that were just stored, on the writer's thread, before {@link #changesAfter} tells of them. It must return
     * at once and must not throw. It saves whoever follows the changes the reading of what was just written, no more: jobs that were stored
     * without the writer's knowing (their commit's answer was lost) are not told.
     */
    void onCreate(Consumer<List<CreatedJob>> listener);

    /** Writes and reads a probe value. Throws a {@code FaultException} that says why where that fails. */
    void probe();

    /** Figures for metrics. */
    StoreStatistics statistics();

    /** Finishes what is in the queue, then closes. */
    @Override
    void close();
}
