// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an LRM for its queues, at the start and from time to time, and remembers its last word. It has a worker of its own, so that
 * an LRM that takes long to answer delays no job; clients are answered from memory.
 */
final class CapabilityPoller {

    private static final Logger log = LoggerFactory.getLogger(CapabilityPoller.class);

    /** After this many intervals without an answer the last one is no ground for a refusal, and the LRM counts as unwell. */
    static final int TRIES = 3;

    /** An answer is the LRM's word of this moment for so long; so often at most is it asked because a client wants to know. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    /** How long a client waits for the answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LrmSettings settings;
    private final WorkerSupervisor supervisor;
    private final Clock clock;
    private CompletableFuture<Void> question = CompletableFuture.completedFuture(null);
    private Instant begun = Instant.EPOCH;
    private volatile Instant answered = Instant.EPOCH;
    private volatile LrmCapabilities known;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String why = "";

    CapabilityPoller(LrmSettings settings, WorkerSupervisor supervisor, Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.supervisor = requireNonNull(supervisor, "supervisor is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.known = new LrmCapabilities(settings.adapter(), beforehand(settings));
    }

    /** Fork has one queue, of its own name, whether or not it has been asked; of others nothing is known yet. */
    private static List<LrmCapabilities.Queue> beforehand(LrmSettings settings) {
        return settings.adapter().equals("fork")
                ? List.of(new LrmCapabilities.Queue(
                        settings.name(), null, null, null, null, (long) settings.maxRunning()))
                : List.of();
    }

    void start(ScheduledExecutorService scheduler) {
        long millis = settings.monitor().queueInterval().toMillis();
        if (millis > 0) {
            var unused = scheduler.scheduleAtFixedRate(this::askUnlessAsked, 0, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Nobody waits for the answer; where one is already on its way, that one will do. */
    private void askUnlessAsked() {
        var unused = question(Duration.ZERO);
    }

    /** The question that is on its way, or the last one where it was begun less than that long ago, or a new one. */
    private synchronized CompletableFuture<Void> question(Duration young) {
        Instant now = clock.instant();
        if (question.isDone() && !now.isBefore(begun.plus(young))) {
            begun = now;
            CompletableFuture<Void> fresh = new CompletableFuture<>();
            question = fresh;
            Thread.ofVirtual().start(() -> {
                try {
                    ask(now);
                } finally {
                    fresh.complete(null);
                }
            });
        }
        return question;
    }

    private void ask(Instant now) {
        try {
            known = CapabilityMessages.capabilities(
                    settings, supervisor.ask("queues", java.util.Map.of()), freshUntil());
            answered = now;
            failures.set(0);
            why = "";
        } catch (LrmUnavailableException e) {
            why = String.valueOf(e.getMessage());

            if (failures.incrementAndGet() == 1) {
                log.warn("The queues of {} are not known at present: {}", settings.name(), why);
            }
        }
    }

    /** What the LRM says now. Many clients who ask at once share one question. */
    LrmCapabilities capabilitiesNow() {
        if (settings.monitor().queueInterval().isZero()) {
            return known;
        }
        Instant asked = clock.instant();
        try {
            question(MOMENT).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("{} does not say in time which queues it has", settings.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return answered.isBefore(asked.minus(MOMENT)) ? known.notFresh() : known;
    }

    private Instant freshUntil() {
        Duration fresh = settings.monitor().queueInterval().multipliedBy(TRIES);
        return settings.monitor().refusesImpossible() ? clock.instant().plus(fresh) : Instant.MIN;
    }

    LrmCapabilities capabilities() {
        return known;
    }

    /** What keeps the LRM from answering; empty where it answers, or has only just begun not to. */
    String trouble() {
        return failures.get() >= TRIES ? "it does not say which queues it has: " + why : "";
    }

    CompletableFuture<Void> close() {
        return supervisor.close();
    }
}
