// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.job.SuspendWish;
import org.jspecify.annotations.Nullable;

/**
 * Something that a client, the service or a lease has ordered for a job. Its end is not kept but read from the job: an order that was
 * stored is carried out, also after a crash, and how far it came is seen in the job.
 *
 * @param description who ordered it and why; absent where that is plain
 * @param failure why it could not be done at all; absent where it was taken
 */
record Command(
        Name name,
        Instant at,
        @Nullable String description,
        @Nullable String failure) {

    /** The commands of CREAM. */
    enum Name {
        JOB_REGISTER,
        JOB_START,
        JOB_CANCEL,
        JOB_SUSPEND,
        JOB_RESUME,
        JOB_SET_LEASEID
    }

    /** How far a command came. The third word is written as CREAM writes it. */
    enum Status {
        PROCESSING("PROCESSING"),
        SUCCESSFUL("SUCCESSFULL"),
        ERROR("ERROR");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * How far it came.
     *
     * @param end when that was; absent while it is processed
     * @param reason why it failed
     */
    record Progress(
            Status status, @Nullable Instant end, @Nullable String reason) {}

    Command {
        requireNonNull(name, "name is null");
        requireNonNull(at, "at is null");
    }

    static Command of(Name name, Instant at) {
        return new Command(name, at, null, null);
    }

    Progress progress(Job job) {
        if (failure != null) {
            return new Progress(Status.ERROR, at, failure);
        }
        return switch (name) {
            case JOB_REGISTER, JOB_SET_LEASEID -> new Progress(Status.SUCCESSFUL, at, null);
            case JOB_START -> started(job);
            case JOB_CANCEL -> cancelled(job);
            case JOB_SUSPEND -> wished(job, SuspendWish.SUSPEND);
            case JOB_RESUME -> wished(job, SuspendWish.RESUME);
        };
    }

    /** A job is started when its LRM has it. */
    private Progress started(Job job) {
        if (job.queued() != null) {
            return new Progress(Status.SUCCESSFUL, job.queued(), null);
        }
        if (job.state().isTerminal()) {
            return new Progress(
                    Status.ERROR, job.ended(), FailureTexts.reason(job).orElse("the job came to no LRM"));
        }
        return new Progress(Status.PROCESSING, null, null);
    }

    private static Progress cancelled(Job job) {
        if (job.state() == JobState.CANCELLED) {
            return new Progress(Status.SUCCESSFUL, job.ended(), null);
        }
        return job.state().isTerminal()
                ? new Progress(Status.ERROR, job.ended(), "the job was over before it could be cancelled")
                : new Progress(Status.PROCESSING, null, null);
    }

    /** The LRM has answered when the wish is gone. */
    private Progress wished(Job job, SuspendWish wish) {
        return job.suspendWish() == wish && !job.state().isTerminal()
                ? new Progress(Status.PROCESSING, null, null)
                : new Progress(Status.SUCCESSFUL, at.isAfter(job.changed()) ? at : job.changed(), null);
    }
}
