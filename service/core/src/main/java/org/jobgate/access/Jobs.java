// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.Submission;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.store.Change;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.OwnerChanges;
import org.jspecify.annotations.Nullable;

/**
 * What every front door does with jobs, each time after the site's policy was asked about the caller. Calls answer when the change is
 * on disk. A refusal is a {@link org.jobgate.job.FaultException}; one of the policy has the code {@code NOT_AUTHORIZED}, or
 * {@code NOT_NOW}.
 *
 * <p>A job that is not the caller's, is gone or never was is unknown to the caller, and all three look the same
 * ({@code Optional.empty()}).
 */
public final class Jobs {

    /** What stands in the place of the LRM of a multi-job; no LRM can have this name. */
    public static final String MULTI = JobsBySubject.MULTI;

    private final JobsBySubject jobs;

    /** @param jobs the engine */
    public Jobs(JobsBySubject jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    /** The LRMs that are configured, by name; the default first. */
    public Set<String> lrms() {
        return jobs.lrms();
    }

    /** What is known of the queues of the LRM of this name; nothing where there is no such LRM. */
    public LrmCapabilities capabilities(String lrm) {
        return jobs.capabilities(lrm);
    }

    /** Why new jobs of all users are refused at present; empty if they are taken. */
    public Optional<Fault> closed() {
        return jobs.closed();
    }

    /**
     * An id for a job or a group that is to be submitted: what the door keeps with it can name it. As {@link JobsBySubject#newId}.
     *
     * @param door that took the submission
     * @param clientId the client's own id of the submission, as it is in the submission; absent where it gave none
     */
    public JobId newId(Owner owner, String door, @Nullable String clientId) {
        return jobs.newId(owner, door, clientId);
    }

    /**
     * Stores a new job and sets it going, or answers the job that the same submission made before; as {@link JobsBySubject#submit}.
     *
     * @throws IllegalArgumentException if the job is not the permit's sender's, or would run as an account that the permit does not have
     */
    public Submitted submit(JobPermit permit, Submission submission) {
        checkPermitted(permit, submission);
        return jobs.submit(permit.onRecord(submission));
    }

    /** The same for many at once: those that are new are stored in one transaction, in this order. A refusal of one is in its own answer. */
    public List<BulkAnswer> submitAll(JobPermit permit, List<Submission> submissions) {
        submissions.forEach(submission -> checkPermitted(permit, submission));
        return jobs.submitAll(submissions.stream().map(permit::onRecord).toList());
    }

    /**
     * The passwords of single files of a job that is about to be submitted under this id, sealed: a record for
     * {@link Submission#records}. The description names them by {@link FilePassword#OPTION}.
     *
     * @throws org.jobgate.job.FaultException of code {@code UNSUPPORTED_FEATURE} where none are kept
     */
    public DoorRecord sealed(JobPermit permit, JobId id, Owner owner, List<FilePassword> passwords) {
        if (!owner.subject().equals(permit.subject())) {
            throw new IllegalArgumentException(
                    "passwords of " + owner.subject() + " by a permit of " + permit.subject());
        }
        return jobs.sealed(id, owner, passwords);
    }

    /** A door that takes an owner from somewhere else than the permit would be a hole. */
    private static void checkPermitted(JobPermit permit, Submission submission) {
        String subject = submission.owner().subject();
        if (!subject.equals(permit.subject())) {
            throw new IllegalArgumentException("a job of " + subject + " by a permit of " + permit.subject());
        }
        permit.account(Optional.of(submission.owner().account()));
        submission.description().subJobs().forEach(sub -> permit.account(Optional.of(sub.account())));
    }

    /**
     * Starts a job that has failed once more, as a new attempt; as {@link JobsBySubject#restart}. The policy is asked whether the caller
     * may change jobs and start them, and whether the account of the job is still the caller's.
     */
    public Optional<Submitted> restart(Caller caller, JobId id) {
        return restart(caller, id, next -> List.of());
    }

    /** The same for a door that keeps something with the new attempt, stored in the same transaction. */
    public Optional<Submitted> restart(Caller caller, JobId id, Function<JobId, List<DoorRecord>> records) {
        String subject = caller.manage(OwnedKind.JOBS);
        JobPermit permit = caller.submit();
        jobs.find(subject, id)
                .ifPresent(job -> permit.account(Optional.of(job.owner().account())));
        jobs.description(subject, id)
                .ifPresent(description ->
                        description.subJobs().forEach(sub -> permit.account(Optional.of(sub.account()))));
        return jobs.restart(subject, id, records);
    }

    /** All attempts at the same job that are kept, this one among them, in order. */
    public Optional<List<Job>> attempts(Caller caller, JobId id) {
        return jobs.attempts(caller.query(OwnedKind.JOBS), id);
    }

    /** What is done with groups of jobs. */
    public JobGroups groups() {
        return new JobGroups(jobs.groups());
    }

    /** The job, if it is the caller's and not gone. */
    public Optional<Job> find(Caller caller, JobId id) {
        return jobs.find(caller.query(OwnedKind.JOBS), id);
    }

    /** The caller's job that this id of the client's was given for at this door, if it is there and not gone. */
    public Optional<Job> findByClientId(Caller caller, String door, String clientId) {
        return jobs.findByClientId(caller.query(OwnedKind.JOBS), door, clientId);
    }

    /** The same for a sender who is about to submit by this id, and learns by that whether it was used. */
    public Optional<Job> findByClientId(JobPermit permit, String door, String clientId) {
        return jobs.findByClientId(permit.subject(), door, clientId);
    }

    /** The sender's job that holds this id at this door, also where it is gone: the sender is about to submit by the id, and learns by that whether it was used. */
    public Optional<Job> holderOf(JobPermit permit, String door, String clientId) {
        return jobs.holderOf(permit.subject(), door, clientId);
    }

    /** How many jobs of the caller are not over. */
    public long live(Caller caller) {
        return jobs.live(caller.query(OwnedKind.JOBS));
    }

    /** The same for a caller who is about to change what belongs to it. */
    public Optional<Job> findToManage(Caller caller, JobId id) {
        return jobs.find(caller.manage(OwnedKind.JOBS), id);
    }

    /**
     * Many jobs at once; for each id, in order, what {@link #find} answers. The policy is asked once.
     *
     * @throws org.jobgate.job.FaultException also {@code LIMIT_EXCEEDED} where more are named than {@code limits.maxJobsAtOnce}
     */
    public List<Optional<Job>> findAll(Caller caller, List<JobId> ids) {
        return jobs.findAll(caller.query(OwnedKind.JOBS), ids);
    }

    /**
     * Cancels many jobs in one transaction; for each id, in order, what {@link #cancel} answers. The policy is asked once.
     *
     * @throws org.jobgate.job.FaultException also {@code LIMIT_EXCEEDED} where more are named than {@code limits.maxJobsAtOnce}
     */
    public List<Optional<Job>> cancelAll(Caller caller, List<JobId> ids) {
        return jobs.cancelAll(caller.manage(OwnedKind.JOBS), ids);
    }

    /** The same with {@link #release}. */
    public List<Optional<Job>> releaseAll(Caller caller, List<JobId> ids) {
        return jobs.releaseAll(caller.manage(OwnedKind.JOBS), ids);
    }

    /** The same with {@link #destroy}. */
    public List<Optional<Job>> destroyAll(Caller caller, List<JobId> ids) {
        return jobs.destroyAll(caller.manage(OwnedKind.JOBS), ids);
    }

    /** The caller's jobs that match, in the order that the query says, without those that are gone; whose jobs the query names is overruled. */
    public List<Job> list(Caller caller, JobQuery query) {
        return jobs.list(caller.query(OwnedKind.JOBS), query);
    }

    /**
     * The same for a list that may be long: it is read while it is taken. The policy is asked once.
     *
     * @param limit at most so many jobs, 1 to 10,000; what the query says of it is overruled
     */
    public JobListing listing(Caller caller, JobQuery query, int limit) {
        return JobListing.of(jobs, caller.query(OwnedKind.JOBS), query, limit);
    }

    /** The description as it was submitted. */
    public Optional<JobDescription> description(Caller caller, JobId id) {
        return jobs.description(caller.query(OwnedKind.JOBS), id);
    }

    /** The description as the job runs by it: where that names its output by URL, the file that it is in until it is sent. */
    public Optional<JobDescription> running(Caller caller, JobId id) {
        return jobs.running(caller.query(OwnedKind.JOBS), id);
    }

    /**
     * Waits until the job's version is greater than the given one, the caller can no longer see it, or the time is over; answers as
     * {@link #find} does then, with the policy asked once more. Answers at once while {@link #isStopping}.
     */
    public Optional<Job> awaitChange(Caller caller, JobId id, long seenVersion, Duration timeout) {
        Optional<Job> job = jobs.awaitChange(caller.query(OwnedKind.JOBS), id, seenVersion, timeout);
        caller.query(OwnedKind.JOBS);
        return job;
    }

    /** The changes of the job that are kept, in order; as {@link JobsBySubject#history}. */
    public Optional<List<Change>> history(Caller caller, JobId id) {
        return jobs.history(caller.query(OwnedKind.JOBS), id);
    }

    /** The cursor after which there are only changes that are still to come. Taken before a list is read, it misses nothing after it. */
    public long lastChange() {
        return jobs.lastChange();
    }

    /**
     * Changes of the caller's jobs after a cursor; as {@link JobsBySubject#changes}.
     *
     * @throws org.jobgate.job.FaultException also {@code CURSOR_EXPIRED}
     */
    public OwnerChanges changes(Caller caller, long cursor, int limit) {
        return jobs.changes(caller.query(OwnedKind.JOBS), cursor, limit);
    }

    /**
     * The same; where there are none yet it waits for the next one, at most for the time, and asks the policy once more then. How many
     * may wait at once is the door's to bound.
     */
    public OwnerChanges awaitChanges(Caller caller, long cursor, int limit, Duration timeout) {
        OwnerChanges changes = jobs.awaitChanges(caller.query(OwnedKind.JOBS), cursor, limit, timeout);
        caller.query(OwnedKind.JOBS);
        return changes;
    }

    /** Whether the service is about to end: nobody is to wait for a change any more. */
    public boolean isStopping() {
        return jobs.isStopping();
    }

    /** Whether new jobs are taken at present: not while an administrator drains the service, nor when it is about to end. */
    public boolean isAccepting() {
        return jobs.isAccepting();
    }

    /**
     * Orders for jobs of one of the wanted versions only.
     *
     * @param versions those that are wanted
     */
    public ConditionalOrders ordersAt(LongPredicate versions) {
        return new ConditionalOrders(jobs.ordersAt(versions));
    }

    /** Begins to end the job; answers at once. A job that is over stays as it is. */
    public Optional<Job> cancel(Caller caller, JobId id) {
        return jobs.cancel(caller.manage(OwnedKind.JOBS), id);
    }

    /** Where the job finds the credential that was delegated for it, as a file on its host; absent while it has none. */
    public Optional<String> credentialPath(Caller caller, JobId id) {
        return jobs.credentialPath(caller.query(OwnedKind.JOBS), id);
    }

    /** Has the delegated credentials that the job's description names destroyed when the job is over; nothing where there is no such job. */
    public void destroyCredentials(Caller caller, JobId id) {
        jobs.destroyCredentials(caller.manage(OwnedKind.JOBS), id);
    }

    /** Holds a job that waits, or before the work of a state; as {@link JobsBySubject#hold}. */
    public Optional<Job> hold(Caller caller, JobId id, @Nullable JobState at) {
        return jobs.hold(caller.manage(OwnedKind.JOBS), id, at);
    }

    /** Lets a held job go on, also one that is held in its LRM, or takes back a hold that is still to come. */
    public Optional<Job> release(Caller caller, JobId id) {
        return jobs.release(caller.manage(OwnedKind.JOBS), id);
    }

    /**
     * Makes all who follow the job look at it again, because something that a door keeps beside it has changed: puts one change into the
     * change stream that alters nothing. A job that is over is left as it is.
     *
     * @param note what has happened, for the job's history
     */
    public Optional<Job> announce(Caller caller, JobId id, String note) {
        return jobs.announce(caller.manage(OwnedKind.JOBS), id, note);
    }

    /**
     * Has the job suspended, as {@link JobsBySubject#suspend} says: how it stands is seen in its state.
     *
     * @throws org.jobgate.job.FaultException {@code UNSUPPORTED_FEATURE} where its LRM cannot suspend it as it stands, or the job is
     *     over
     */
    public Optional<Job> suspend(Caller caller, JobId id) {
        return jobs.suspend(caller.manage(OwnedKind.JOBS), id);
    }

    /**
     * Lets a suspended job go on, or takes back a wish to suspend it.
     *
     * @throws org.jobgate.job.FaultException {@code UNSUPPORTED_FEATURE} where its LRM cannot do it
     */
    public Optional<Job> resume(Caller caller, JobId id) {
        return jobs.resume(caller.manage(OwnedKind.JOBS), id);
    }

    /** Ends the job if it is not over, and forgets it then; answers at once. */
    public Optional<Job> destroy(Caller caller, JobId id) {
        return jobs.destroy(caller.manage(OwnedKind.JOBS), id);
    }

    /**
     * Sets when the job is to be ended and forgotten; absent means never, or by the rule of its submission for a time after its end.
     *
     * @throws org.jobgate.job.FaultException {@code INVALID_TERMINATION_TIME} where the time is past
     */
    public Optional<Job> setTerminationTime(Caller caller, JobId id, @Nullable Instant time) {
        return jobs.setTerminationTime(caller.manage(OwnedKind.JOBS), id, time);
    }
}
