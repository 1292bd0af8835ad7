// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an LRM and its queues. What is not known is absent, never guessed.
 *
 * @param kind the kind of LRM, e.g. {@code fork}; empty if that is not known
 * @param queues the default first, where there is one; an LRM without queues has one of its own name
 * @param jobTypes those that it takes; empty if that is not known
 * @param suspends the states of a job in which it can suspend it; absent if that is not known
 * @param resources those that it can give jobs; absent if that is not known
 * @param freshUntil until when the LRM's word holds; absent where it was never heard. Older words are shown, but nobody is refused
 *     for them
 */
public record LrmCapabilities(
        String kind,
        List<Queue> queues,
        Set<JobType> jobTypes,
        @Nullable Set<JobState> suspends,
        @Nullable Set<Resource> resources,
        @Nullable Instant freshUntil) {

    /** Nothing is known. */
    public static final LrmCapabilities UNKNOWN = new LrmCapabilities("", List.of());

    public LrmCapabilities {
        requireNonNull(kind, "kind is null");
        queues = List.copyOf(queues);
        jobTypes = Set.copyOf(jobTypes);
        suspends = suspends == null ? null : Set.copyOf(suspends);
        resources = resources == null ? null : Set.copyOf(resources);
    }

    /** The capabilities of an LRM of which it is not known whether it can suspend jobs, and which resources it can give them. */
    public LrmCapabilities(String kind, List<Queue> queues, Set<JobType> jobTypes, @Nullable Instant freshUntil) {
        this(kind, queues, jobTypes, null, null, freshUntil);
    }

    /** Queues on which no refusal is built. */
    public LrmCapabilities(String kind, List<Queue> queues) {
        this(kind, queues, Set.of(), null);
    }

    /** The same, on which no refusal is built. */
    public LrmCapabilities notFresh() {
        return new LrmCapabilities(kind, queues, jobTypes, suspends, resources, null);
    }

    /** Whether the LRM has reported them recently enough to refuse jobs by them. */
    public boolean isFresh(Instant now) {
        return freshUntil != null && !now.isAfter(freshUntil);
    }

    /** The queue of a job that names none. */
    public Optional<Queue> defaultQueue() {
        return queues.stream().filter(Queue::isDefault).findFirst();
    }

    /**
     * One queue.
     *
     * @param isWhole whether this is the LRM as a whole and no queue that a job could name
     * @param isDefault whether jobs that name no queue go there
     * @param processors all that it may use
     * @param freeProcessors those that no job uses now
     * @param runningJobs everybody's jobs that run in it now
     * @param waitingJobs everybody's jobs that wait in it now
     * @param maxRunningJobs how many jobs of one account run in it at once; more wait
     * @param maxWallTime the longest time that a job may ask for
     * @param maxProcessors the most processors that one job may have
     * @param state the LRM's own word for how it is, e.g. {@code up}
     * @param architecture of its machines, e.g. {@code x86_64}, where they are alike
     * @param memoryMiB of its largest machine
     */
    public record Queue(
            String name,
            boolean isWhole,
            boolean isDefault,
            @Nullable Long processors,
            @Nullable Long freeProcessors,
            @Nullable Long runningJobs,
            @Nullable Long waitingJobs,
            @Nullable Long maxRunningJobs,
            @Nullable Duration maxWallTime,
            @Nullable Long maxProcessors,
            @Nullable String state,
            @Nullable String architecture,
            @Nullable Long memoryMiB) {

        public Queue {
            requireNonNull(name, "name is null");
        }

        /** An LRM as a whole, of which only numbers are known. */
        public Queue(
                String name,
                @Nullable Long processors,
                @Nullable Long freeProcessors,
                @Nullable Long runningJobs,
                @Nullable Long waitingJobs,
                @Nullable Long maxRunningJobs) {
            this(
                    name,
                    true,
                    true,
                    processors,
                    freeProcessors,
                    runningJobs,
                    waitingJobs,
                    maxRunningJobs,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
    }
}
