// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/**
 * A request to run a group of jobs, after its owner was authenticated and authorized.
 *
 * @param id the new group's, as {@link JobsBySubject#newId} made it. Where the submission turns out to be a repeated one it names nothing
 * @param origin the door that took the request, and the language of its description
 * @param clientId the client's own id of the submission, kept apart by owner and door, and apart from those of single jobs; absent where
 *     the client gave none, which makes every request a new group
 * @param maxRunning at most so many elements have a job that is not over at any time; absent means as many as the site allows
 * @param keepAfterEnd how long to keep each job from its end on; absent means as long as the service keeps finished jobs
 * @param records what is kept with the group, beside it
 */
public record GroupSubmission(
        JobId id,
        JobOrigin origin,
        Owner owner,
        @Nullable String clientId,
        String lrm,
        GroupTemplate template,
        @Nullable Integer maxRunning,
        @Nullable Duration keepAfterEnd,
        List<DoorRecord> records) {

    public GroupSubmission {
        requireNonNull(id, "id is null");
        requireNonNull(origin, "origin is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(lrm, "lrm is null");
        requireNonNull(template, "template is null");
        records = List.copyOf(records);
        if (maxRunning != null && maxRunning < 1) {
            throw new IllegalArgumentException("maxRunning is " + maxRunning + "; at least 1 is needed");
        }
        if (keepAfterEnd != null && keepAfterEnd.isNegative()) {
            throw new IllegalArgumentException("keepAfterEnd is negative: " + keepAfterEnd);
        }
    }

    /** A request with which nothing is kept. */
    public GroupSubmission(
            JobId id,
            JobOrigin origin,
            Owner owner,
            @Nullable String clientId,
            String lrm,
            GroupTemplate template,
            @Nullable Integer maxRunning,
            @Nullable Duration keepAfterEnd) {
        this(id, origin, owner, clientId, lrm, template, maxRunning, keepAfterEnd, List.of());
    }

    /** The same, with something more that is kept with the group. */
    public GroupSubmission withRecord(DoorRecord kept) {
        return new GroupSubmission(
                id,
                origin,
                owner,
                clientId,
                lrm,
                template,
                maxRunning,
                keepAfterEnd,
                Stream.concat(records.stream(), Stream.of(kept)).toList());
    }

    /** What makes it the same submission when it comes again. */
    public SubmissionKey key() {
        return new SubmissionKey(owner.subject(), origin.door(), clientId == null ? id.toString() : clientId);
    }
}
