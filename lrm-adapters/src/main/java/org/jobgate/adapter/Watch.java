// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the events that one worker sees to the listener, in order, on a thread of its own, and moves the checkpoint past those that
 * are on disk. If some cannot be stored the worker is given up: its successor tells them again.
 *
 * <p>The worker has only a few batches on their way unacknowledged, which bounds the queue.
 */
final class Watch {

    private static final Logger log = LoggerFactory.getLogger(Watch.class);

    private final LrmSource source;
    private final String account;
    private final Worker worker;
    private final LrmListener listener;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final Consumer<Duration> onLag;
    private final Instant began;
    private final ExecutorService thread;
    private volatile Duration lag = Duration.ZERO;
    private volatile CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);

    Watch(
            String lrm,
            String account,
            Worker worker,
            LrmListener listener,
            Checkpoints checkpoints,
            Clock clock,
            Consumer<Duration> onLag) {
        this.source = LrmSource.ofAccount(lrm, account);
        this.account = account;
        this.worker = worker;
        this.listener = listener;
        this.checkpoints = checkpoints;
        this.clock = clock;
        this.onLag = onLag;
        this.began = clock.instant();
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofVirtual().name("lrm-watch-" + account).factory());
    }

    boolean isOf(Worker other) {
        return worker == other;
    }

    Duration lag() {
        return lag;
    }

    void take(Fields frame) {
        try {
            thread.execute(() -> tell(frame));
        } catch (RejectedExecutionException e) {
            log.debug("events of account {} came after the close and are told after the next start", account);
        }
    }

    private void tell(Fields frame) {
        List<LrmEvent> events = LrmMessages.events(account, frame.items("events"));
        measureLag(events, frame.number("behind", 0) > 0);
        CompletableFuture<List<LrmEvent>> told = events.isEmpty()
                ? CompletableFuture.completedFuture(events)
                : tell(events).whenComplete((heard, failure) -> disown(events, heard));
        // the checkpoint moves past a batch only when all before it are stored too
        stored = CompletableFuture.allOf(stored, told).whenComplete((done, failure) -> {
            if (failure == null) {
                acknowledge(frame);
            } else {
                giveUp(failure);
            }
        });
    }

    private CompletableFuture<List<LrmEvent>> tell(List<LrmEvent> events) {
        try {
            return listener.events(source, events);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * What was refused is of no job of ours: where two LRMs once had one spool, or a job has written the record. The worker is to watch it
     * no longer.
     */
    private void disown(List<LrmEvent> events, @Nullable List<LrmEvent> heard) {
        if (heard == null || heard.size() == events.size()) {
            return;
        }
        Set<LrmEvent> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        kept.addAll(heard);
        List<JobId> refused = events.stream()
                .filter(event -> !kept.contains(event))
                .map(LrmEvent::tag)
                .distinct()
                .toList();
        var unused = worker.request("disown", Map.of("tags", refused)).exceptionally(failure -> {
            log.warn(
                    "{} jobs that are not of {} are still watched by its worker: {}",
                    refused.size(),
                    source,
                    failure.getMessage());
            return new Fields(Map.of());
        });
    }

    private void acknowledge(Fields frame) {
        String checkpoint = frame.text("checkpoint");
        if (checkpoint != null) {
            checkpoints.passed(account, checkpoint);
        }
        worker.acknowledge(frame.text("sequence", ""));
    }

    private void giveUp(Throwable failure) {
        if (worker.isAlive()) {
            log.warn("events of account {} could not be stored and will be told again", account, failure);
            worker.giveUp("is started again because events could not be stored: " + failure.getMessage());
        }
    }

    /**
     * What the LRM recorded before we began to look was no news when it came: it is not measured, and says how far behind we are only
     * as long as more of it follows.
     */
    private void measureLag(List<LrmEvent> events, boolean isBehind) {
        Instant now = clock.instant();
        for (LrmEvent event : events) {
            boolean isNews = !event.at().isBefore(began);
            Duration age = atLeastZero(Duration.between(event.at(), now));
            if (isNews) {
                onLag.accept(age);
            }
            lag = isNews || isBehind ? age : Duration.ZERO;
        }
    }

    private static Duration atLeastZero(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    /** Takes no more; answers when what was taken is stored. */
    CompletableFuture<Void> close() {
        // behind all that was taken: only then is it known what is to be stored
        CompletableFuture<Void> told = new CompletableFuture<>();
        try {
            thread.execute(() -> told.complete(null));
        } catch (RejectedExecutionException e) {
            log.debug("the watch on account {} was closed before", account);
            told.complete(null);
        }
        thread.shutdown();
        return told.thenCompose(done -> stored.exceptionally(failure -> null));
    }
}
