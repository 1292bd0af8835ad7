// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with groups of jobs, for a subject that is believed: the engine's side of {@code org.jobgate.access.JobGroups}. A group
 * that is not the subject's, is gone or never was is unknown to it, and all three look the same ({@code Optional.empty()}).
 *
 * <p>An element is a job like any other once its turn has come: it is listed, watched and cancelled as one too.
 */
public interface GroupsBySubject {

    /**
     * Stores a new group and sets it going, or answers the group that the same submission made before. All is stored in one
     * transaction, however many elements there are.
     *
     * @throws org.jobgate.job.FaultException as {@link JobsBySubject#submit}; {@code LIMIT_EXCEEDED} also for {@code
     *     limits.maxGroupElements}, {@code limits.maxGroupBytes} and {@code limits.maxGroupsPerOwner}
     */
    SubmittedGroup submit(GroupSubmission submission);

    Optional<JobGroup> find(String subject, JobId id);

    /** The subject's group that this id of the client's was given for at this door. */
    Optional<JobGroup> findByClientId(String subject, String door, String clientId);

    /** How many groups of the subject are not over. */
    long live(String subject);

    /**
     * Waits until the group's version is greater than the given one, the subject can no longer see it, or the time is over; answers as
     * {@link #find} does then. Answers at once while the service is about to end.
     */
    Optional<JobGroup> awaitChange(String subject, JobId id, long seenVersion, Duration timeout);

    /** The description and the values as they were submitted. */
    Optional<GroupTemplate> template(String subject, JobId id);

    /**
     * The subject's groups, newest first.
     *
     * @param after the last group of the page before; absent for the first page
     * @param limit 1 to 10,000
     */
    List<JobGroup> list(String subject, @Nullable JobId after, int limit);

    /**
     * The elements from this index on, in order.
     *
     * @param limit 1 to 10,000
     */
    Optional<List<GroupElement>> elements(String subject, JobId id, int fromIndex, int limit);

    /** The jobs of all attempts at one element that are kept, in order; empty also where there is no element of this index. */
    Optional<List<Job>> attempts(String subject, JobId id, int index);

    /**
     * Cancels the elements that wait, and begins to end the jobs of the others.
     *
     * @param part which elements; absent means all
     */
    Optional<JobGroup> cancel(String subject, JobId id, @Nullable IndexRange part);

    /**
     * The same for several parts of one group: what waits in any of them is cancelled in as few transactions as the store can, and the jobs
     * of all together are changed some hundreds at a time.
     *
     * @param parts at least one, that do not overlap
     */
    default Optional<JobGroup> cancelAll(String subject, JobId id, List<IndexRange> parts) {
        Optional<JobGroup> group = Optional.empty();
        for (IndexRange part : parts) {
            group = cancel(subject, id, part);
        }
        return group;
    }

    /**
     * Holds the elements that wait: those that have no job yet get none, the jobs of others are held where they wait, as far as the LRM can
     * hold them. Elements that run go on.
     *
     * @param part which elements; absent means all
     */
    Optional<JobGroup> hold(String subject, JobId id, @Nullable IndexRange part);

    /** Lets held elements go on; as {@link #hold}. */
    Optional<JobGroup> release(String subject, JobId id, @Nullable IndexRange part);

    /**
     * Suspends the jobs of elements as {@link JobsBySubject#suspend} does, and holds the elements that have none yet.
     *
     * @param part which elements; absent means all
     * @throws org.jobgate.job.FaultException {@code UNSUPPORTED_FEATURE} where the LRM suspends no jobs
     */
    Optional<JobGroup> suspend(String subject, JobId id, @Nullable IndexRange part);

    /** Lets suspended jobs of elements go on, and those that are held without a job wait for their turn; as {@link #suspend}. */
    Optional<JobGroup> resume(String subject, JobId id, @Nullable IndexRange part);

    /**
     * Has the elements that failed wait for a further attempt, each as a new job under a new tag. The jobs of the attempts before stay.
     *
     * @param part which elements; absent means all that failed
     */
    Optional<JobGroup> retryFailed(String subject, JobId id, @Nullable IndexRange part);

    /** Changes how many elements may have a job that is not over; those above it go on. */
    Optional<JobGroup> setMaxRunning(String subject, JobId id, int value);

    /** Cancels the group, and forgets it and its jobs when they are over. */
    Optional<JobGroup> destroy(String subject, JobId id);

    /**
     * An accepted submission.
     *
     * @param isNew whether it was stored by this call
     */
    record SubmittedGroup(JobGroup group, boolean isNew) {}
}
