// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.store.DoorRecord;

/** Gives a job the credentials that were delegated for it, as the engine sees it. */
public interface JobCredentials {

    /** Where no passwords of files are kept. */
    Fault NO_PASSWORDS = Fault.of(
            FaultCode.UNSUPPORTED_FEATURE,
            "The job has names and passwords for its files, and this gateway keeps none.",
            "Leave them out.");

    /** Whether a job of this description gets any, so that something is to be removed at its end. */
    boolean areWantedBy(JobDescription description);

    /** Why the owner cannot have a job with the credentials that this description names, if so; asked before the job is stored. */
    Optional<Fault> refusal(Owner owner, JobDescription description);

    /**
     * The passwords of single files, sealed, in a record that is to be stored with the job; {@link #remove} removes it.
     *
     * @throws org.jobgate.job.FaultException of code {@code UNSUPPORTED_FEATURE} where none are kept
     */
    default DoorRecord sealed(JobId job, Owner owner, List<FilePassword> passwords) {
        throw new FaultException(NO_PASSWORDS);
    }

    /** Writes the job's credentials where the job finds them. Repeating it does no harm. */
    Placement place(Job job, JobDescription description);

    /** Removes what {@link #place} wrote, now or as soon as that is possible. Repeating it does no harm. */
    void remove(Job job);

    /** Where the job finds its credential as a file; absent while it has none. */
    Optional<String> path(JobId job);

    /**
     * Has the credentials that the description names destroyed when the job is over, or soon if it is; on disk when this returns.
     * Other jobs that use them lose them as well: their owner wants it so.
     */
    void destroyAfter(Job job, JobDescription description);

    /** Names who is told, with a sentence, what the owner of a job should know about its credential. */
    void onNews(BiConsumer<JobId, String> listener);

    /** Sets the listener for jobs that waited for their credential and should be looked at again. */
    void onChange(Consumer<JobId> listener);

    /** What became of placing a job's credentials. */
    sealed interface Placement {

        /**
         * They are there.
         *
         * @param environment what names them to the job
         * @param warning what the owner should know about them
         */
        record Placed(Map<String, String> environment, Optional<String> warning) implements Placement {
            public Placed {
                environment = Map.copyOf(environment);
            }
        }

        /** The job must wait until its owner has renewed them; the listener is told then. */
        record Waiting(String because) implements Placement {}

        /** The job can never have them. */
        record Refused(Fault fault) implements Placement {}

        /** It is not known, or cannot be done at present. */
        record Unclear(String because) implements Placement {}
    }
}
