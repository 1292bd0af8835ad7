// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.language;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/**
 * A job, or a group of jobs, as a text describes it; and what the text says of its submission, where its language has words for that.
 *
 * @param description of the job; of a group the same as in its template
 * @param group the template, where the text describes a group (an array or a sweep); absent for a single job
 * @param maxRunning at most so many elements of a group run at a time; absent where the text does not say, and for a single job
 * @param lrm for which the text wants the job; absent where it names none, and for a multi-job, whose sub-jobs name theirs
 * @param account the local account that the text wants the job to run as; absent where it names none
 * @param clientId the client's own id of the submission, by which a repeated one is known; absent where the text has none
 * @param terminationTime when the job is to be ended and forgotten; absent for never, and for a group
 * @param keepAfterEnd how long the job is to be kept from its end on; absent where the text does not say
 * @param passwords of single files, by their numbers from 1, as the description names them; empty where {@link ReadingContext#takesPasswords}
 *     is false
 */
public record DescribedJob(
        JobDescription description,
        @Nullable GroupTemplate group,
        @Nullable Integer maxRunning,
        @Nullable String lrm,
        @Nullable String account,
        @Nullable String clientId,
        @Nullable Instant terminationTime,
        @Nullable Duration keepAfterEnd,
        List<FilePassword> passwords) {

    public DescribedJob {
        passwords = List.copyOf(passwords);
        requireNonNull(description, "description is null");
        if (group != null && !group.description().equals(description)) {
            throw new IllegalArgumentException("the description is not that of the group");
        }
        if (group == null && maxRunning != null) {
            throw new IllegalArgumentException("maxRunning is given without a group");
        }
    }

    /** A single job without the further parts that a text may have. */
    public static DescribedJob of(JobDescription description) {
        return new DescribedJob(description, null, null, null, null, null, null, null, List.of());
    }

    /** A group without the further parts that a text may have. */
    public static DescribedJob of(GroupTemplate group) {
        return new DescribedJob(group.description(), group, null, null, null, null, null, null, List.of());
    }

    /** The same group with at most so many elements at a time. */
    public DescribedJob withMaxRunning(@Nullable Integer most) {
        return new DescribedJob(
                description, group, most, lrm, account, clientId, terminationTime, keepAfterEnd, passwords);
    }

    /** The same for this LRM. */
    public DescribedJob withLrm(@Nullable String name) {
        return new DescribedJob(
                description, group, maxRunning, name, account, clientId, terminationTime, keepAfterEnd, passwords);
    }

    /** The same as this local account. */
    public DescribedJob withAccount(@Nullable String name) {
        return new DescribedJob(
                description, group, maxRunning, lrm, name, clientId, terminationTime, keepAfterEnd, passwords);
    }

    /** The same under this id of the client. */
    public DescribedJob withClientId(@Nullable String id) {
        return new DescribedJob(
                description, group, maxRunning, lrm, account, id, terminationTime, keepAfterEnd, passwords);
    }

    /** The same, to be ended and forgotten then. */
    public DescribedJob withTerminationTime(@Nullable Instant time) {
        return new DescribedJob(description, group, maxRunning, lrm, account, clientId, time, keepAfterEnd, passwords);
    }

    /** The same, to be kept so long from its end on. */
    public DescribedJob withKeepAfterEnd(@Nullable Duration time) {
        return new DescribedJob(
                description, group, maxRunning, lrm, account, clientId, terminationTime, time, passwords);
    }

    /** The same with these passwords of its files. */
    public DescribedJob withPasswords(List<FilePassword> ofFiles) {
        return new DescribedJob(
                description, group, maxRunning, lrm, account, clientId, terminationTime, keepAfterEnd, ofFiles);
    }
}
