// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/**
 * A request to run a job, after its owner was authenticated and authorized.
 *
 * @param id the new job's, as {@link JobsBySubject#newId} made it. Where the submission turns out to be a repeated one it names nothing
 * @param origin the door that took the request, and the language of its description
 * @param clientId the client's own id of the submission, kept apart by owner and door; absent where the client gave none, which makes
 *     every request a new job
 * @param terminationTime when to end and forget the job; absent means never
 * @param keepAfterEnd how long to keep the job from its end on where it has no termination time then; absent means no such rule
 * @param records what the front door must remember with the job; stored with it, or not at all where the submission is a repeated one
 */
public record Submission(
        JobId id,
        JobOrigin origin,
        Owner owner,
        @Nullable String clientId,
        String lrm,
        JobDescription description,
        @Nullable Instant terminationTime,
        @Nullable Duration keepAfterEnd,
        List<DoorRecord> records) {

    private static final RandomGenerator RANDOM = new SecureRandom();

    public Submission {
        requireNonNull(id, "id is null");
        requireNonNull(origin, "origin is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(lrm, "lrm is null");
        requireNonNull(description, "description is null");
        records = List.copyOf(records);
        if (keepAfterEnd != null && keepAfterEnd.isNegative()) {
            throw new IllegalArgumentException("keepAfterEnd is negative: " + keepAfterEnd);
        }
    }

    /** A submission under a new id, of a job that is kept as long as the service keeps finished jobs and with which nothing is kept. */
    public Submission(
            JobOrigin origin,
            Owner owner,
            @Nullable String clientId,
            String lrm,
            JobDescription description,
            @Nullable Instant terminationTime) {
        this(
                JobId.create(Clock.systemUTC(), RANDOM),
                origin,
                owner,
                clientId,
                lrm,
                description,
                terminationTime,
                null,
                List.of());
    }

    /** What makes it the same submission when it comes again under this id. */
    public SubmissionKey key(String id) {
        return new SubmissionKey(owner.subject(), origin.door(), id);
    }

    /** The same of a job without a termination time. */
    public static Submission of(
            JobOrigin origin, Owner owner, String clientId, String lrm, JobDescription description) {
        return new Submission(origin, owner, clientId, lrm, description, null);
    }
}
