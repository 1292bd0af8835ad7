// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an LRM's queues. What is not known is absent, never guessed.
 *
 * @param kind the kind of LRM, e.g. {@code fork}; empty if that is not known
 * @param queues the default first; an LRM without queues has one of its own name
 */
public record LrmCapabilities(String kind, List<Queue> queues) {

    /** Nothing is known. */
    public static final LrmCapabilities UNKNOWN = new LrmCapabilities("", List.of());

    public LrmCapabilities {
        requireNonNull(kind, "kind is null");
        queues = List.copyOf(queues);
    }

    /**
     * One queue.
     *
     * @param processors all that it may use
     * @param freeProcessors those that no job uses now
     * @param runningJobs everybody's jobs that run in it now
     * @param waitingJobs everybody's jobs that wait in it now
     * @param maxRunningJobs how many jobs of one account run in it at once; more wait
     */
    public record Queue(
            String name,
            @Nullable Long processors,
            @Nullable Long freeProcessors,
            @Nullable Long runningJobs,
            @Nullable Long waitingJobs,
            @Nullable Long maxRunningJobs) {

        public Queue {
            requireNonNull(name, "name is null");
        }
    }
}
