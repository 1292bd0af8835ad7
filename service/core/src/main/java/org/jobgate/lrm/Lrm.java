// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;

/**
 * A local resource manager, as the lifecycle sees it. Calls may block for as long as the LRM's own command may; they run on the
 * bounded pools of the lifecycle. Every job carries its {@link JobId} as tag inside the LRM.
 */
public interface Lrm extends AutoCloseable {

    /** As clients name it, e.g. {@code Fork}. */
    String name();

    /** How many jobs one {@link #submit} or {@link #cancel} may take at the most. */
    int batchLimit();

    /**
     * Begins to watch the LRM for the jobs of these accounts and to tell the listener; the accounts of later submissions are added.
     * Events are reported at least once and in order for each job, also across restarts.
     */
    void watch(Collection<String> accounts, LrmListener listener);

    /** Gives jobs of one account to the LRM; one answer for each, in order. Never throws for what one job does wrong. */
    List<SubmitResult> submit(String account, List<SubmitRequest> requests);

    /** Ends jobs of one account. Their ends are reported as events. One answer for each, in order. */
    List<CancelResult> cancel(String account, List<LrmJob> jobs);

    /**
     * The states of a job in which the LRM can suspend it: {@code PENDING} (it does not begin before it is resumed), {@code ACTIVE} (its
     * processes stop and keep what they have done). Empty where it can suspend none, and never the ground for a refusal while nothing is
     * known of the LRM. Answered from memory.
     */
    default Set<JobState> suspends() {
        return Set.of();
    }

    /**
     * Suspends jobs of one account: those that wait do not begin, those that run stop. How they stand then is told as events. A job that
     * is suspended stays so. One answer for each, in order.
     */
    default List<SuspendResult> suspend(String account, List<LrmJob> jobs) {
        return cannotSuspend(jobs);
    }

    /**
     * Has jobs of one account that wait in the LRM not begin before they are resumed. A job that runs is refused and goes on. How they
     * stand then is told as events. One answer for each, in order.
     */
    default List<SuspendResult> hold(String account, List<LrmJob> jobs) {
        return cannotSuspend(jobs);
    }

    /** Lets suspended jobs of one account go on. A job that is not suspended stays as it is. One answer for each, in order. */
    default List<SuspendResult> resume(String account, List<LrmJob> jobs) {
        return cannotSuspend(jobs);
    }

    private List<SuspendResult> cannotSuspend(List<LrmJob> jobs) {
        Fault fault = Fault.of(
                FaultCode.UNSUPPORTED_FEATURE,
                "The LRM " + name() + " cannot suspend jobs.",
                "Cancel the job, or use another LRM.");
        return jobs.stream()
                .<SuspendResult>map(job -> new SuspendResult.Refused(fault))
                .toList();
    }

    /**
     * Asks the LRM what it knows of the tags. A tag that is missing in the answer is known not to be in the LRM.
     *
     * @throws LrmUnavailableException if the LRM gave no clear answer: then nothing is known of any of them
     */
    Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException;

    /**
     * What the LRM's accounting says that jobs of one account used, which are over. Empty where an end tells all that the LRM says of it; a
     * job that is missing in the answer is not known there, or not yet.
     *
     * @throws LrmUnavailableException if the LRM gave no clear answer
     */
    default Map<JobId, LrmUse> used(String account, List<LrmJob> jobs) throws LrmUnavailableException {
        return Map.of();
    }

    /**
     * Whether it fetches, sends and deletes the files of its jobs itself, as another gateway does: it gets them with the description, and this
     * gateway moves none of them.
     */
    default boolean movesFiles() {
        return false;
    }

    /** Why it could not move the files of such a job; asked before the job is stored, and only of one that moves files. */
    default Optional<Fault> filesRefusal(JobDescription description) {
        return Optional.empty();
    }

    /** Lets the LRM side forget jobs that are over: its spool files and records. Repeating it does no harm. */
    void forget(String account, List<LrmJob> jobs);

    /** What is known of its queues; answered from memory, for every client may ask. */
    default LrmCapabilities capabilities() {
        return LrmCapabilities.UNKNOWN;
    }

    /**
     * The same as it is now: the LRM is asked, unless it was a moment ago. Blocks for some seconds at most; where the LRM gives no answer in
     * them, what is answered is not fresh.
     */
    default LrmCapabilities capabilitiesNow() {
        return capabilities();
    }

    /** How much of it the gateway may use, as the configuration says. */
    default LrmThrottle throttle() {
        return LrmThrottle.unlimited(batchLimit());
    }

    /** The administrator has changed that: the jobs of one call and the poll interval are the LRM's to heed. */
    default void throttle(LrmThrottle changed) {}

    /** Names who is told, for each event that is news, how old it was by the LRM's record when the watch saw it. */
    default void onLag(Consumer<Duration> measured) {}

    /**
     * Whether the LRM and the watch on it are well, and if not, why. One account that cannot be served, of several, is no trouble of
     * the LRM; it is named all the same.
     */
    LrmHealth health();

    /** The same for the jobs of one account. */
    default LrmHealth health(String account) {
        return health();
    }

    @Override
    void close();

    /**
     * A job for the LRM.
     *
     * @param mayExist whether it may have been given to the LRM before, so that the tag must be looked up first
     */
    record SubmitRequest(JobId tag, JobDescription description, boolean mayExist) {}

    /** A job in the LRM. */
    record LrmJob(JobId tag, List<String> localIds) {
        public LrmJob {
            localIds = List.copyOf(localIds);
        }
    }
}
