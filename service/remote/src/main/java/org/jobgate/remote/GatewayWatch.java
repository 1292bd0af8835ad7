// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other gateway, round by round, for each of our jobs there. What is news follows from how the job stands in the store, so
 * there is no place to remember over a restart. A round ends at the first sign that the gateway is away.
 */
final class GatewayWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayWatch.class);

    /** Questions under way at once. */
    static final int MAX_QUESTIONS = 8;

    private static final int PAGE = 256;

    private final String name;
    private final RemoteJobStatus status;
    private final JobStore store;
    private final Clock clock;
    private final Supplier<Duration> interval;
    private final ExecutorService askers;
    private final ExecutorService rounds;
    private final AtomicReference<@Nullable String> away = new AtomicReference<>();

    private volatile @Nullable Instant lastRound;

    /** @param interval between two rounds, asked for before each */
    GatewayWatch(String name, RemoteJobStatus status, JobStore store, Clock clock, Supplier<Duration> interval) {
        this.name = requireNonNull(name, "name is null");
        this.status = requireNonNull(status, "status is null");
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.interval = requireNonNull(interval, "interval is null");
        this.askers = Executors.newFixedThreadPool(
                MAX_QUESTIONS,
                Thread.ofPlatform().name("gateway-" + name + "-", 0).daemon().factory());
        this.rounds = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("gateway-" + name).daemon().factory());
    }

    void start(LrmListener listener) {
        rounds.execute(() -> rounds(listener));
    }

    private void rounds(LrmListener listener) {
        try {
            while (!rounds.isShutdown()) {
                try {
                    round(listener);
                } catch (RuntimeException e) {
                    LOG.error("The gateway {} could not be asked; it is tried again", name, e);
                }
                Thread.sleep(interval.get());
            }
        } catch (InterruptedException e) {
            // the service ends
            Thread.currentThread().interrupt();
        }
    }

    /** Asks for every job once. */
    void round(LrmListener listener) throws InterruptedException {
        AtomicReference<@Nullable String> trouble = new AtomicReference<>();
        JobId after = null;
        List<Job> page;
        do {
            page = store.list(JobQuery.builder()
                    .lrm(name)
                    .states(JobState.PENDING, JobState.ACTIVE, JobState.SUSPENDED)
                    .after(after)
                    .limit(PAGE)
                    .build());
            tell(listener, ask(page, trouble));
            after = page.isEmpty() ? null : page.getLast().id();
        } while (page.size() == PAGE && trouble.get() == null);
        settle(trouble.get());
    }

    private void settle(@Nullable String trouble) {
        String before = away.getAndSet(trouble);
        if (trouble == null) {
            lastRound = clock.instant();
            if (before != null) {
                LOG.info("The gateway {} answers again", name);
            }
        } else if (before == null) {
            LOG.warn("The gateway {} does not answer, its jobs stay as they are: {}", name, trouble);
        }
    }

    private List<LrmEvent> ask(List<Job> jobs, AtomicReference<@Nullable String> trouble) throws InterruptedException {
        List<Callable<Optional<LrmEvent>>> questions = jobs.stream()
                .filter(job -> !job.localIds().isEmpty() && !job.holding())
                .<Callable<Optional<LrmEvent>>>map(job -> () -> ask(job, trouble))
                .toList();
        List<LrmEvent> events = new ArrayList<>();
        for (Future<Optional<LrmEvent>> answer : askers.invokeAll(questions)) {
            try {
                answer.get().ifPresent(events::add);
            } catch (ExecutionException e) {
                throw new CompletionException(e.getCause());
            }
        }
        return events;
    }

    private Optional<LrmEvent> ask(Job job, AtomicReference<@Nullable String> trouble) {
        if (trouble.get() != null) {
            return Optional.empty();
        }
        try {
            return status.news(job);
        } catch (IOException e) {
            trouble.set(String.valueOf(e.getMessage()));
            return Optional.empty();
        } catch (RuntimeException e) {
            // the jobs of others are looked at all the same
            return status.failed(job, e);
        }
    }

    private void tell(LrmListener listener, List<LrmEvent> events) {
        if (!events.isEmpty()) {
            listener.events(LrmSource.ofWhole(name), events).join();
        }
    }

    LrmHealth health() {
        String why = away.get();
        Instant last = lastRound;
        Duration age = last == null ? null : Duration.between(last, clock.instant());
        return new LrmHealth(
                why == null,
                why == null ? "" : "the gateway " + name + " gives no clear answer: " + why,
                Duration.ZERO,
                age);
    }

    @Override
    public void close() {
        rounds.shutdownNow();
        askers.shutdownNow();
    }
}
