// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. An absent condition does not restrict.
 *
 * @param door the front door that it came by, as {@link org.jobgate.job.JobOrigin#door}
 * @param states empty means all live states, and finished ones only where {@code finished} is set
 * @param finished whether to search the finished jobs as well
 * @param holding whether it is kept back, by whatever ({@link org.jobgate.job.Job#holding})
 * @param held whether its owner holds it ({@link org.jobgate.job.Job#isHeld})
 * @param outcomeSettled whether its outcome is settled
 * @param terminationBefore whose termination time has passed at this time
 * @param exceptGone whether to leave out the jobs that their owner no longer sees
 * @param createdFrom stored at this time or later
 * @param createdBefore stored before this time
 * @param endedFrom that ended at this time or later; jobs that are not over are left out
 * @param endedBefore that ended before this time; jobs that are not over are left out
 * @param after only jobs that come after this one in the order: for reading page by page. It need not exist any more
 * @param until this job and those that come before it in the order
 * @param limit at most this many, 1 to 10,000
 * @param openWish whether only jobs count of which the owner wants something that their LRM has not confirmed ({@link
 *     org.jobgate.job.Job#suspendWish})
 * @param newestFirst whether the jobs that were created last come first; else they come last
 */
public record JobQuery(
        @Nullable String subject,
        @Nullable String lrm,
        @Nullable String account,
        @Nullable String door,
        Set<JobState> states,
        boolean finished,
        @Nullable Boolean holding,
        @Nullable Boolean held,
        @Nullable Boolean outcomeSettled,
        @Nullable Instant terminationBefore,
        boolean exceptGone,
        boolean openWish,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore,
        @Nullable Instant endedFrom,
        @Nullable Instant endedBefore,
        @Nullable JobId after,
        @Nullable JobId until,
        int limit,
        boolean newestFirst) {

    /** The longest page of a list, and one more job, which says whether there is a next page. */
    public static final int MAX_LIMIT = 10_001;

    public JobQuery {
        requireNonNull(states, "states is null");
        states = Set.copyOf(states);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MAX_LIMIT);
        }
    }

    /** The jobs that are not over, oldest first. */
    public static JobQuery live() {
        return builder().build();
    }

    /** All jobs, oldest first. */
    public static JobQuery all() {
        return builder().finished(true).build();
    }

    /** A query for the jobs that are not over, oldest first, to be restricted. */
    public static Builder builder() {
        return new Builder();
    }

    /** The same query, to be changed. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.subject = subject;
        builder.lrm = lrm;
        builder.account = account;
        builder.door = door;
        builder.states = states;
        builder.finished = finished;
        builder.holding = holding;
        builder.held = held;
        builder.outcomeSettled = outcomeSettled;
        builder.terminationBefore = terminationBefore;
        builder.exceptGone = exceptGone;
        builder.openWish = openWish;
        builder.createdFrom = createdFrom;
        builder.createdBefore = createdBefore;
        builder.endedFrom = endedFrom;
        builder.endedBefore = endedBefore;
        builder.after = after;
        builder.until = until;
        builder.limit = limit;
        builder.newestFirst = newestFirst;
        return builder;
    }

    /** The page after this one, given the last job of this one. */
    public JobQuery next(JobId last) {
        return toBuilder().after(last).build();
    }

    /** Collects the conditions; {@link #build} checks them. */
    public static final class Builder {
        private @Nullable String subject;
        private @Nullable String lrm;
        private @Nullable String account;
        private @Nullable String door;
        private Set<JobState> states = Set.of();
        private boolean finished;
        private @Nullable Boolean holding;
        private @Nullable Boolean held;
        private @Nullable Boolean outcomeSettled;
        private @Nullable Instant terminationBefore;
        private boolean exceptGone;
        private boolean openWish;
        private @Nullable Instant createdFrom;
        private @Nullable Instant createdBefore;
        private @Nullable Instant endedFrom;
        private @Nullable Instant endedBefore;
        private @Nullable JobId after;
        private @Nullable JobId until;
        private int limit = MAX_LIMIT;
        private boolean newestFirst;

        private Builder() {}

        public Builder subject(@Nullable String value) {
            subject = value;
            return this;
        }

        public Builder lrm(@Nullable String value) {
            lrm = value;
            return this;
        }

        public Builder account(@Nullable String value) {
            account = value;
            return this;
        }

        public Builder door(@Nullable String value) {
            door = value;
            return this;
        }

        public Builder states(JobState... values) {
            states = Set.of(values);
            return this;
        }

        public Builder states(Collection<JobState> values) {
            states = Set.copyOf(values);
            return this;
        }

        /** Whether to search the finished jobs as well. */
        public Builder finished(boolean value) {
            finished = value;
            return this;
        }

        public Builder holding(@Nullable Boolean value) {
            holding = value;
            return this;
        }

        public Builder held(@Nullable Boolean value) {
            held = value;
            return this;
        }

        public Builder outcomeSettled(@Nullable Boolean value) {
            outcomeSettled = value;
            return this;
        }

        public Builder terminationBefore(@Nullable Instant value) {
            terminationBefore = value;
            return this;
        }

        /** Without those that their owner destroyed and that are over. */
        public Builder exceptGone() {
            exceptGone = true;
            return this;
        }

        /** Only those of which the owner wants something that their LRM has not confirmed. */
        public Builder openWish() {
            openWish = true;
            return this;
        }

        public Builder createdFrom(@Nullable Instant value) {
            createdFrom = value;
            return this;
        }

        public Builder createdBefore(@Nullable Instant value) {
            createdBefore = value;
            return this;
        }

        public Builder endedFrom(@Nullable Instant value) {
            endedFrom = value;
            return this;
        }

        public Builder endedBefore(@Nullable Instant value) {
            endedBefore = value;
            return this;
        }

        public Builder after(@Nullable JobId value) {
            after = value;
            return this;
        }

        public Builder until(@Nullable JobId value) {
            until = value;
            return this;
        }

        public Builder limit(int value) {
            limit = value;
            return this;
        }

        /** Those that were created last come first. */
        public Builder newestFirst() {
            newestFirst = true;
            return this;
        }

        /**
         * The query.
         *
         * @throws IllegalArgumentException where the limit is not 1 to 10,000
         */
        public JobQuery build() {
            return new JobQuery(
                    subject,
                    lrm,
                    account,
                    door,
                    states,
                    finished,
                    holding,
                    held,
                    outcomeSettled,
                    terminationBefore,
                    exceptGone,
                    openWish,
                    createdFrom,
                    createdBefore,
                    endedFrom,
                    endedBefore,
                    after,
                    until,
                    limit,
                    newestFirst);
        }
    }
}
