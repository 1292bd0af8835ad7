// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. An absent condition does not restrict.
 *
 * @param states empty means all live states, and finished ones only where {@code finished} is set
 * @param finished whether to search the finished jobs as well
 * @param endingSettled whether its ending is settled
 * @param terminationBefore whose termination time has passed at this time
 * @param exceptGone whether to leave out the jobs that their owner no longer sees
 * @param after only jobs that come after this one in the order: for reading page by page
 * @param limit at most this many, 1 to 10,000
 * @param wished whether only jobs count of which the owner wants something that their LRM has not confirmed ({@link Job#suspendWish})
 * @param newestFirst whether the jobs that were created last come first; else they come last
 */
public record JobQuery(
        @Nullable String subject,
        @Nullable String lrm,
        @Nullable String account,
        Set<JobState> states,
        boolean finished,
        @Nullable Boolean holding,
        @Nullable Boolean endingSettled,
        @Nullable Instant terminationBefore,
        boolean exceptGone,
        @Nullable JobId after,
        int limit,
        boolean newestFirst,
        boolean wished) {

    public static final int MAX_LIMIT = 10_000;

    public JobQuery {
        requireNonNull(states, "states is null");
        states = Set.copyOf(states);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MAX_LIMIT);
        }
    }

    public static JobQuery live() {
        return new JobQuery(null, null, null, Set.of(), false, null, null, null, false, null, MAX_LIMIT, false, false);
    }

    public static JobQuery all() {
        return new JobQuery(null, null, null, Set.of(), true, null, null, null, false, null, MAX_LIMIT, false, false);
    }

    public JobQuery ofSubject(String value) {
        return new JobQuery(
                value,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery inLrm(String value) {
        return new JobQuery(
                subject,
                value,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery ofAccount(String value) {
        return new JobQuery(
                subject,
                lrm,
                value,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery inStates(JobState... values) {
        return new JobQuery(
                subject,
                lrm,
                account,
                Set.of(values),
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery held(boolean value) {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                value,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery settled(boolean value) {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                value,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery expiredAt(Instant value) {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                value,
                exceptGone,
                after,
                limit,
                newestFirst,
                wished);
    }

    public JobQuery afterId(JobId value) {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                value,
                limit,
                newestFirst,
                wished);
    }

    /** Those that were created last come first. */
    public JobQuery latestFirst() {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                true,
                wished);
    }

    /** Without those that their owner destroyed and that are over. */
    public JobQuery withoutGone() {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                true,
                after,
                limit,
                newestFirst,
                wished);
    }

    /** Those of which the owner wants something that their LRM has not confirmed yet. */
    public JobQuery withOpenWish() {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                limit,
                newestFirst,
                true);
    }

    public JobQuery limitedTo(int value) {
        return new JobQuery(
                subject,
                lrm,
                account,
                states,
                finished,
                holding,
                endingSettled,
                terminationBefore,
                exceptGone,
                after,
                value,
                newestFirst,
                wished);
    }
}
