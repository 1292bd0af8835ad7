// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.GroupsBySubject;
import org.jobgate.jobs.GroupsBySubject.SubmittedGroup;
import org.jspecify.annotations.Nullable;

/**
 * What front doors do with groups of jobs (arrays, sweeps over values), each time after the site's policy was asked about the caller, as
 * {@link Jobs} for single jobs. Got by {@link Jobs#groups}.
 */
public final class JobGroups {

    private final GroupsBySubject groups;

    JobGroups(GroupsBySubject groups) {
        this.groups = requireNonNull(groups, "groups is null");
    }

    /**
     * Stores a new group and sets it going, or answers the group that the same submission made before; as {@link GroupsBySubject#submit}.
     *
     * @throws IllegalArgumentException if the group is not the permit's sender's
     */
    public SubmittedGroup submit(JobPermit permit, GroupSubmission submission) {
        String subject = submission.owner().subject();
        if (!subject.equals(permit.subject())) {
            throw new IllegalArgumentException("a group of " + subject + " by a permit of " + permit.subject());
        }
        permit.account(Optional.of(submission.owner().account()));
        return groups.submit(submission.withRecord(permit.sender(submission.id())));
    }

    /** The group, if it is the caller's and not gone. */
    public Optional<JobGroup> find(Caller caller, JobId id) {
        return groups.find(caller.query(OwnedKind.JOBS), id);
    }

    /** The caller's group that this id of the client's was given for at this door, if it is there and not gone. */
    public Optional<JobGroup> findByClientId(Caller caller, String door, String clientId) {
        return groups.findByClientId(caller.query(OwnedKind.JOBS), door, clientId);
    }

    /** The same for a sender who is about to submit by this id, and learns by that whether it was used. */
    public Optional<JobGroup> findByClientId(JobPermit permit, String door, String clientId) {
        return groups.findByClientId(permit.subject(), door, clientId);
    }

    /** Whether the sender who is about to submit has any group. */
    public boolean hasAny(JobPermit permit) {
        return !groups.list(permit.subject(), null, 1).isEmpty();
    }

    /** The group, for a caller who is about to change it. */
    public Optional<JobGroup> findToManage(Caller caller, JobId id) {
        return groups.find(caller.manage(OwnedKind.JOBS), id);
    }

    /** How many groups of the caller are not over. */
    public long live(Caller caller) {
        return groups.live(caller.query(OwnedKind.JOBS));
    }

    /**
     * Waits until the group's version is greater than the given one, the caller can no longer see it, or the time is over; answers as
     * {@link #find} does then, with the policy asked once more.
     */
    public Optional<JobGroup> awaitChange(Caller caller, JobId id, long seenVersion, Duration timeout) {
        Optional<JobGroup> group = groups.awaitChange(caller.query(OwnedKind.JOBS), id, seenVersion, timeout);
        caller.query(OwnedKind.JOBS);
        return group;
    }

    /** The description and the values as they were submitted. */
    public Optional<GroupTemplate> template(Caller caller, JobId id) {
        return groups.template(caller.query(OwnedKind.JOBS), id);
    }

    /** The caller's groups, newest first; as {@link GroupsBySubject#list}. */
    public List<JobGroup> list(Caller caller, @Nullable JobId after, int limit) {
        return groups.list(caller.query(OwnedKind.JOBS), after, limit);
    }

    /** The elements from this index on, in order; as {@link GroupsBySubject#elements}. */
    public Optional<List<GroupElement>> elements(Caller caller, JobId id, int fromIndex, int limit) {
        return groups.elements(caller.query(OwnedKind.JOBS), id, fromIndex, limit);
    }

    /** The jobs of all attempts at one element that are kept, in order. */
    public Optional<List<Job>> attempts(Caller caller, JobId id, int index) {
        return groups.attempts(caller.query(OwnedKind.JOBS), id, index);
    }

    /** Cancels all elements, or those of a range of indexes; as {@link GroupsBySubject#cancel}. */
    public Optional<JobGroup> cancel(Caller caller, JobId id, @Nullable IndexRange part) {
        return groups.cancel(caller.manage(OwnedKind.JOBS), id, part);
    }

    /** Cancels the elements of several ranges of indexes together; as {@link GroupsBySubject#cancelAll}. */
    public Optional<JobGroup> cancelAll(Caller caller, JobId id, List<IndexRange> parts) {
        return groups.cancelAll(caller.manage(OwnedKind.JOBS), id, parts);
    }

    /** Holds the elements that wait; as {@link GroupsBySubject#hold}. */
    public Optional<JobGroup> hold(Caller caller, JobId id, @Nullable IndexRange part) {
        return groups.hold(caller.manage(OwnedKind.JOBS), id, part);
    }

    /** Lets held elements go on; as {@link GroupsBySubject#release}. */
    public Optional<JobGroup> release(Caller caller, JobId id, @Nullable IndexRange part) {
        return groups.release(caller.manage(OwnedKind.JOBS), id, part);
    }

    /** Suspends the jobs of elements; as {@link GroupsBySubject#suspend}. */
    public Optional<JobGroup> suspend(Caller caller, JobId id, @Nullable IndexRange part) {
        return groups.suspend(caller.manage(OwnedKind.JOBS), id, part);
    }

    /** Lets suspended jobs of elements go on; as {@link GroupsBySubject#resume}. */
    public Optional<JobGroup> resume(Caller caller, JobId id, @Nullable IndexRange part) {
        return groups.resume(caller.manage(OwnedKind.JOBS), id, part);
    }

    /**
     * Starts elements that failed once more; as {@link GroupsBySubject#retryFailed}. The policy is asked whether the caller may change
     * jobs and start them, and whether the account of the group is still the caller's.
     */
    public Optional<JobGroup> retryFailed(Caller caller, JobId id, @Nullable IndexRange part) {
        String subject = caller.manage(OwnedKind.JOBS);
        JobPermit permit = caller.submit();
        groups.find(subject, id)
                .ifPresent(group -> permit.account(Optional.of(group.owner().account())));
        return groups.retryFailed(subject, id, part);
    }

    /** Changes how many elements may have a job that is not over; those above it go on. */
    public Optional<JobGroup> setMaxRunning(Caller caller, JobId id, int value) {
        return groups.setMaxRunning(caller.manage(OwnedKind.JOBS), id, value);
    }

    /** Cancels the group, and forgets it and its jobs when they are over. */
    public Optional<JobGroup> destroy(Caller caller, JobId id) {
        return groups.destroy(caller.manage(OwnedKind.JOBS), id);
    }
}
