// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an LRM for its queues, at the start and from time to time, and remembers its last word. It has a worker of its own, so that
 * an LRM that takes long to say it holds up nobody's job; clients are answered from memory.
 */
final class CapabilityPoller {

    private static final Logger log = LoggerFactory.getLogger(CapabilityPoller.class);

    /** After this many intervals without an answer the last one is no ground for a refusal, and the LRM counts as unwell. */
    static final int TRIES = 3;

    private final LrmSettings settings;
    private final WorkerSupervisor station;
    private final Clock clock;
    private final AtomicBoolean isAsking = new AtomicBoolean();
    private volatile LrmCapabilities known;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String why = "";

    CapabilityPoller(LrmSettings settings, WorkerSupervisor station, Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.station = requireNonNull(station, "station is null");
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
            var unused = scheduler.scheduleAtFixedRate(
                    () -> Thread.ofVirtual().start(this::ask), 0, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void ask() {
        if (!isAsking.compareAndSet(false, true)) {
            return; // the LRM takes longer than the interval
        }
        try {
            known = LrmMessages.capabilities(settings, station.ask("queues", java.util.Map.of()), freshUntil());
            failures.set(0);
            why = "";
        } catch (LrmUnavailableException e) {
            why = String.valueOf(e.getMessage());

            if (failures.incrementAndGet() == 1) {
                log.warn("The queues of {} are not known at present: {}", settings.name(), why);
            }
        } finally {
            isAsking.set(false);
        }
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
        return station.close();
    }
}
