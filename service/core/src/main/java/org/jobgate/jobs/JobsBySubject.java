// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

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
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.store.Change;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.OwnerChanges;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with jobs, for a subject that is believed: the engine's side of {@code org.jobgate.access.Jobs}, which front doors
 * use and which asks the site's policy first. Calls answer when the change is on disk. A refusal is a
 * {@link org.jobgate.job.FaultException}.
 *
 * <p>A job that is not the subject's, is gone or never was is unknown to it, and all three look the same ({@code Optional.empty()}).
 */
public interface JobsBySubject extends JobOrders {

    /** What stands in the place of the LRM of a multi-job; no LRM can have this name. */
    String MULTI = Job.MULTI_LRM;

    /** The LRMs that are configured, by name; the default first. */
    Set<String> lrms();

    /** What is known of the queues of the LRM of this name; nothing where there is no such LRM. */
    default LrmCapabilities capabilities(String lrm) {
        return LrmCapabilities.UNKNOWN;
    }

    /** Why new jobs of all users are refused at present: the service drains, or has too much to do. Empty if they are taken. */
    default Optional<Fault> closed() {
        return Optional.empty();
    }

    /**
     * An id for a job that is to be submitted. Where the client gave an id of its own, ours is made of it in part, so that a gateway that was
     * restored from a backup recognizes its job in the LRM: then it is the id that the job had.
     *
     * @param door that took the submission
     * @param clientId the client's own id of the submission; absent where it gave none
     */
    JobId newId(Owner owner, String door, @Nullable String clientId);

    /**
     * Stores a new job and sets it going, or answers the job that the same submission made before.
     *
     * @throws org.jobgate.job.FaultException {@code KEY_REUSED} where the client's id names a job with another description,
     *     {@code LIMIT_EXCEEDED}, {@code UNKNOWN_LRM}, {@code UNSUPPORTED_FEATURE}, {@code INVALID_TERMINATION_TIME},
     *     {@code SHUTTING_DOWN}, {@code STORE_UNAVAILABLE}
     */
    Submitted submit(Submission submission);

    /**
     * The same for many at once: those that are new are stored in one transaction, in this order. A refusal of one is in its own
     * answer.
     */
    List<BulkAnswer> submitAll(List<Submission> submissions);

    /**
     * Starts a job that has failed once more, as a new job of the same description, owner, account and LRM: a new attempt, with an id of
     * its own. The job that failed stays as it is. Its next attempt is made once, however often and by however many it is asked for. A
     * job has failed that is FAILED or CANCELLED, or whose program ended with another exit code than 0.
     *
     * @return the next attempt; empty where the subject has no such job
     * @throws org.jobgate.job.FaultException {@code WRONG_STATE} where the job is not over or has succeeded, {@code UNSUPPORTED_FEATURE}
     *     for a part of a multi-job or a group, and as {@link #submit}
     */
    default Optional<Submitted> restart(String subject, JobId id) {
        return restart(subject, id, next -> List.of());
    }

    /**
     * The same for a door that must remember something of the new attempt.
     *
     * @param records what is to be stored with the attempt of this id, in the same transaction; not called, or its result is not used, where the attempt
     *     was made before
     */
    Optional<Submitted> restart(String subject, JobId id, Function<JobId, List<DoorRecord>> records);

    /** All attempts at the same job that are kept, this one among them, in order. */
    Optional<List<Job>> attempts(String subject, JobId id);

    /** What can be done with groups of jobs. */
    default GroupsBySubject groups() {
        throw new UnsupportedOperationException("there are no groups of jobs here");
    }

    /** The job, if it is the subject's and not gone. */
    Optional<Job> find(String subject, JobId id);

    /** How many jobs of the subject are not over. */
    default long live(String subject) {
        return list(subject, JobQuery.live()).size();
    }

    /**
     * The subject's job that holds this id of the client's at this door, also where it is gone and only the id is still kept from being used
     * again; nothing where such ids are not kept.
     */
    default Optional<Job> holderOf(String subject, String door, String clientId) {
        return Optional.empty();
    }

    /** The subject's job that this id of the client's was given for at this door, if it is there and not gone; nothing where such ids are not kept. */
    default Optional<Job> findByClientId(String subject, String door, String clientId) {
        return Optional.empty();
    }

    /**
     * Many jobs at once; for each id, in order, what {@link #find} answers.
     *
     * @throws org.jobgate.job.FaultException {@code LIMIT_EXCEEDED} where more are named than one request may name
     */
    default List<Optional<Job>> findAll(String subject, List<JobId> ids) {
        return ids.stream().map(id -> find(subject, id)).toList();
    }

    /**
     * Many at once, in one transaction; for each id, in order, what {@link #cancel} answers. A job that is named twice is told twice.
     *
     * @throws org.jobgate.job.FaultException {@code LIMIT_EXCEEDED} where more are named than one request may name
     */
    default List<Optional<Job>> cancelAll(String subject, List<JobId> ids) {
        return ids.stream().map(id -> cancel(subject, id)).toList();
    }

    /** The same with {@link #release}. */
    default List<Optional<Job>> releaseAll(String subject, List<JobId> ids) {
        return ids.stream().map(id -> release(subject, id)).toList();
    }

    /** The same with {@link #destroy}. */
    default List<Optional<Job>> destroyAll(String subject, List<JobId> ids) {
        return ids.stream().map(id -> destroy(subject, id)).toList();
    }

    /** The subject's jobs that match, in the order that the query says, without those that are gone; whose jobs the query names is overruled. */
    List<Job> list(String subject, JobQuery query);

    /** The ids of those jobs, in the same order. */
    default List<JobId> ids(String subject, JobQuery query) {
        return list(subject, query).stream().map(Job::id).toList();
    }

    Optional<JobDescription> description(String subject, JobId id);

    /** The description as the job runs by it: where that names its output by URL, the file that it is in until it is sent. */
    default Optional<JobDescription> running(String subject, JobId id) {
        return description(subject, id);
    }

    /**
     * Waits until the job's version is greater than the given one, its owner can no longer see it, or the time is over; answers as
     * {@link #find} does then. Answers at once while {@link #isStopping}.
     */
    Optional<Job> awaitChange(String subject, JobId id, long seenVersion, Duration timeout);

    /**
     * The changes of the job that are kept, in order: when it came to each state and why, and what its owner, an administrator or the
     * service did to it.
     */
    Optional<List<Change>> history(String subject, JobId id);

    /** The end of the stream of changes: the cursor after which there are only changes that are still to come. */
    long lastChange();

    /**
     * Changes of the subject's jobs after a cursor, in order, also of jobs that the subject has destroyed since. Numbers of changes hold
     * over restarts of the service. A page may be empty before the end of the stream; go on with its cursor.
     *
     * @param cursor the number of the last change that is known, or the cursor of the page before; 0 for the beginning
     * @param limit at most so many, 1 to 10,000
     * @throws org.jobgate.job.FaultException {@code CURSOR_EXPIRED} where changes after the cursor may have been forgotten with their
     *     jobs, or the cursor is beyond the end of the stream (that of another database)
     */
    OwnerChanges changes(String subject, long cursor, int limit);

    /**
     * The same; where there are none yet it waits for the next one, at most for the time. Nothing is kept for a caller between two
     * calls: one that calls late reads what it has missed by its cursor. Answers at once while {@link #isStopping}.
     */
    OwnerChanges awaitChanges(String subject, long cursor, int limit, Duration timeout);

    /** Whether the service is about to end: nobody is to wait for a change any more. */
    boolean isStopping();

    /** Whether new jobs are taken at present: not while an administrator drains the service, nor when it is about to end. */
    default boolean isAccepting() {
        return !isStopping();
    }

    /** Where the job finds the credential that was delegated for it, as a file on its host; absent while it has none. */
    default Optional<String> credentialPath(String subject, JobId id) {
        return Optional.empty();
    }

    /**
     * The passwords of single files of a job that is to be submitted, sealed, as a record for {@link Submission#records}.
     *
     * @throws org.jobgate.job.FaultException of code {@code UNSUPPORTED_FEATURE} where none are kept
     */
    default DoorRecord sealed(JobId id, Owner owner, List<FilePassword> passwords) {
        throw new UnsupportedOperationException("no passwords are kept here");
    }

    /** Has the delegated credentials that the job's description names destroyed when the job is over; nothing where there is no such job. */
    default void destroyCredentials(String subject, JobId id) {
        // where credentials cannot be delegated there are none
    }

    /**
     * Puts a change into the change stream that alters nothing of the job, so that all who follow the job look at it again:
     * something that a door keeps beside it has changed. A job that is over is left as it is.
     *
     * @param note what has happened, for the job's history
     */
    Optional<Job> announce(String subject, JobId id, String note);

    /**
     * Orders that are carried out only where the job has a version that is wanted when the order is written: whoever changed it before
     * was first. Of two orders on the same version that change the job, one is carried out.
     *
     * @param versions those that are wanted
     * @return orders that throw an {@link OtherVersionException} where the job has another version
     */
    default JobOrders ordersAt(LongPredicate versions) {
        throw new UnsupportedOperationException("orders are not taken on a condition here");
    }

    @Override
    default Optional<Job> cancel(String subject, JobId id) {
        return ordersAt(any -> true).cancel(subject, id);
    }

    @Override
    default Optional<Job> hold(String subject, JobId id, @Nullable JobState at) {
        return ordersAt(any -> true).hold(subject, id, at);
    }

    @Override
    default Optional<Job> release(String subject, JobId id) {
        return ordersAt(any -> true).release(subject, id);
    }

    @Override
    default Optional<Job> suspend(String subject, JobId id) {
        return ordersAt(any -> true).suspend(subject, id);
    }

    @Override
    default Optional<Job> resume(String subject, JobId id) {
        return ordersAt(any -> true).resume(subject, id);
    }

    @Override
    default Optional<Job> destroy(String subject, JobId id) {
        return ordersAt(any -> true).destroy(subject, id);
    }

    @Override
    default Optional<Job> setTerminationTime(String subject, JobId id, @Nullable Instant time) {
        return ordersAt(any -> true).setTerminationTime(subject, id, time);
    }

    /**
     * An accepted submission.
     *
     * @param isNew whether it was stored by this call
     */
    record Submitted(Job job, boolean isNew) {}

    /** One answer of a bulk submission: one of the two is present. */
    record BulkAnswer(@Nullable Submitted submitted, org.jobgate.job.@Nullable Fault fault) {}
}
