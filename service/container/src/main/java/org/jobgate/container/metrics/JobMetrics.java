// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * How jobs go through their states, from the store's change stream.
 *
 * <p>It runs on the store's writer thread, so it looks nothing up: when a job was created is in its id (UUID version 7), and when it
 * entered its present state is remembered for the {@value #MAX_REMEMBERED} jobs that changed last. A job that waits while more than
 * that many others change is missing in the time of that one state.
 */
final class JobMetrics {

    static final int MAX_REMEMBERED = 20_000;

    private final MeterRegistry registry;
    private final LinkedHashMap<JobId, Instant> enteredAt = new LinkedHashMap<>();

    JobMetrics(MeterRegistry registry) {
        this.registry = requireNonNull(registry, "registry is null");
    }

    /** Takes committed changes, in order; called by one thread. */
    void committed(List<Change> changes) {
        changes.forEach(this::one);
    }

    private void one(Change change) {
        JobState from = change.from();
        if (from == change.to() && change.event() != JobEvent.LRM_ACCEPTED) {
            return;
        }
        counter(from, change.to()).increment();
        Duration sinceCreation = atLeastZero(Duration.between(createdAt(change.job()), change.at()));
        if (change.event() == JobEvent.LRM_ACCEPTED) {
            sinceCreation("accepted").record(sinceCreation);
        } else if (change.event() == JobEvent.LRM_STARTED && from == JobState.PENDING) {
            sinceCreation("started").record(sinceCreation);
        } else if (change.to().isTerminal()) {
            sinceCreation("over").record(sinceCreation);
        }
        if (from != change.to()) {
            timeState(change, from);
        }
    }

    private void timeState(Change change, @Nullable JobState from) {
        Instant entered = enteredAt.remove(change.job());
        if (entered != null && from != null) {
            inState(from).record(atLeastZero(Duration.between(entered, change.at())));
        }
        if (change.to().isTerminal()) {
            return;
        }
        if (enteredAt.size() >= MAX_REMEMBERED) {
            enteredAt.remove(enteredAt.keySet().iterator().next());
        }
        enteredAt.put(change.job(), change.at());
    }

    private static Instant createdAt(JobId id) {
        return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    private Counter counter(@Nullable JobState from, JobState to) {
        return Counter.builder("jobgate.job.transitions")
                .tags("from", from == null ? "none" : word(from), "to", word(to))
                .description("Transitions that were committed")
                .register(registry);
    }

    private Timer sinceCreation(String reached) {
        return Timer.builder("jobgate.job.since.creation")
                .tags("reached", reached)
                .description("From the creation of a job to the event")
                .serviceLevelObjectives(Metrics.BOUNDS)
                .register(registry);
    }

    private Timer inState(JobState state) {
        return Timer.builder("jobgate.job.in.state")
                .tags("state", word(state))
                .description("From the transition into the state to the one out of it")
                .serviceLevelObjectives(Metrics.BOUNDS)
                .register(registry);
    }

    private static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
