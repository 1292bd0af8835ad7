// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;

/**
 * Moves a job's files, as the engine sees it. The moving methods return at once; their futures complete with why it could not be
 * done, or with nothing. Repeating a call goes on where the first one is, also after a restart. When the service stops, the futures of
 * what was on its way never complete: the next start calls again.
 */
public interface FileStager {

    /** How the sentence of a fault about one file begins. A door whose clients know other words for it says those. */
    String FAILED = "Staging failed";

    /**
     * Why the owner cannot have such a job, as far as its files are concerned; asked before the job is stored. Not asked for jobs whose LRM moves
     * their files itself.
     */
    Optional<Fault> refusal(Owner owner, JobDescription description);

    /** Whether there is anything to be moved, made or deleted for a job of this description. */
    boolean concerns(JobDescription description);

    /**
     * The description, which is its concern, as the job runs by it: where its input or output is a URL there is a local file, and its files are all that is
     * to be moved, made and deleted for it. The same at every call.
     */
    JobDescription prepared(JobId id, Owner owner, JobDescription description);

    /**
     * Fetches the input files of a prepared description.
     *
     * @param news is told what the owner should know of files that were fetched
     */
    CompletableFuture<Optional<Fault>> stageIn(Job job, JobDescription prepared, Consumer<String> news);

    /** Whether there may be jobs whose output files are sent while they run. */
    default boolean followsAny() {
        return false;
    }

    /**
     * Begins to send what a running job has written so far of the output files that are to be followed, and goes on with it until
     * {@link #unfollow}, or until the rest is sent or removed. Repeating it changes nothing.
     *
     * @param stillRuns whether the job runs in this moment, as the store has it
     * @param news is told what the owner should know
     */
    default void follow(Job job, JobDescription prepared, BooleanSupplier stillRuns, Consumer<String> news) {
        // nothing is followed
    }

    /** Ends that. What has arrived stays where it is. */
    default void unfollow(JobId job) {
        // nothing is followed
    }

    /**
     * Sends the output files.
     *
     * @param news is told what the owner should know of files that were sent
     */
    CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription prepared, Consumer<String> news);

    /** Whether the existing output files are sent if the job fails after its start. */
    default boolean sendsAfterFailure(JobDescription description) {
        return false;
    }

    /** Sends each output file that is there, of a job that has failed, as {@link #stageOut}; one that cannot be sent keeps no other from it. */
    default CompletableFuture<Optional<Fault>> sendWhatIsThere(
            Job job, JobDescription prepared, Consumer<String> news) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Stops what {@link #sendWhatIsThere} does. */
    default void stopSending(JobId job) {
        // nothing is being sent
    }

    /** Deletes what the job asked to have deleted; a missing file is no fault. Waits for what {@link #stop} has stopped. */
    CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription prepared);

    /** The job is to end: nothing more is fetched or sent for it. What is on its way stops soon, with a fault. */
    void stop(JobId job);
}
