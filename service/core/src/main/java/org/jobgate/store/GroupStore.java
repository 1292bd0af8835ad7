// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jobgate.job.Fault;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jspecify.annotations.Nullable;

/**
 * The durable record of groups of jobs, a part of {@link JobStore}: the same promises hold. A group's counts follow the states of its
 * elements' jobs in the transactions that change them.
 */
public interface GroupStore {

    /**
     * Stores the group with all its elements, which wait, unless its key names a group already.
     *
     * @param records stored with the group, in the same transaction; passwords of files among them are removed when the group ends
     */
    CompletableFuture<GroupResult> create(JobGroup group, GroupTemplate template, List<DoorRecord> records);

    /** The same with nothing beside it. */
    default CompletableFuture<GroupResult> create(JobGroup group, GroupTemplate template) {
        return create(group, template, List.of());
    }

    /** The group, unless it was purged. */
    Optional<JobGroup> find(JobId id);

    /** The group that this key names, unless it was purged. */
    Optional<JobGroup> find(SubmissionKey key);

    Optional<GroupTemplate> template(JobId id);

    /**
     * Groups of an owner that the owner still sees, newest first.
     *
     * @param after only those that come after this one in the order
     * @param limit 1 to 10,000
     */
    List<JobGroup> list(String subject, @Nullable JobId after, int limit);

    /**
     * The groups that are not over, oldest first.
     *
     * @param after only those that come after this one in the order
     */
    List<JobGroup> live(@Nullable JobId after, int limit);

    /** How many groups of the owner are not over. */
    long countLive(String subject);

    /** The elements from this place on, in order, at most so many; each with the state of its job. */
    List<GroupElement> elements(JobGroup group, int fromPlace, int limit);

    /** The places and attempts of elements that wait, in order. */
    List<Waiting> waiting(JobGroup group, int limit);

    /** The jobs of the last attempts of elements at these places, in order of place, from one place on. */
    List<ElementJob> jobs(JobGroup group, Places places, boolean onlyLive, int limit);

    /**
     * Makes jobs of elements that still wait, in one transaction.
     *
     * @param seen the group as it was when the elements were chosen, by the order of their places
     * @return the jobs that were stored
     */
    CompletableFuture<List<Job>> begin(JobGroup seen, List<Start> starts);

    /** Cancels those of the elements that wait or are held; answers the group afterwards. */
    CompletableFuture<Optional<JobGroup>> cancelWaiting(JobId id, Places places);

    /** Holds those of the elements that wait; answers the group afterwards. */
    CompletableFuture<Optional<JobGroup>> holdWaiting(JobId id, Places places);

    /** Has those of the elements that are held wait for their turn again; answers the group afterwards. */
    CompletableFuture<Optional<JobGroup>> releaseHeld(JobId id, Places places);

    /** Has those of the elements that failed wait for a further attempt; answers the group afterwards. */
    CompletableFuture<Optional<JobGroup>> retryFailed(JobId id, Places places);

    /** Changes how many may run or whether it is destroyed; answers the group afterwards. */
    CompletableFuture<Optional<JobGroup>> change(JobId id, UnaryOperator<JobGroup> change);

    /** Forgets groups that were over before the time; their jobs are forgotten by themselves. Answers how many. */
    CompletableFuture<Integer> purge(Instant endedBefore, int limit);

    /** An element that waits. */
    record Waiting(int place, int attempt) {}

    /** The job of an element. */
    record ElementJob(int place, JobId job) {}

    /**
     * An element that is to become a job.
     *
     * @param newJob what it becomes; absent where it cannot become one
     * @param fault why; then it has failed
     */
    record Start(
            int place,
            int attempt,
            @Nullable NewJob newJob,
            @Nullable Fault fault) {
        public Start {
            if ((newJob == null) == (fault == null)) {
                throw new IllegalArgumentException("an element becomes a job, or has a fault");
            }
        }
    }

    /** What became of a create. */
    sealed interface GroupResult {

        /** The group that the key now names. */
        JobGroup group();

        /** It was stored. */
        record Created(JobGroup group) implements GroupResult {}

        /** The key was there already with an equal request: nothing was stored. */
        record Existing(JobGroup group) implements GroupResult {}

        /** The key was there already with another request: nothing was stored. */
        record Conflict(JobGroup group) implements GroupResult {}
    }
}
