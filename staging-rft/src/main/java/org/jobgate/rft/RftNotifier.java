// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells consumers how requests stand. Each consumer gets one message at a time, and always the newest: what changes while one is on its
 * way is told by the next, so nothing waits in a queue and the last word always comes.
 */
final class RftNotifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RftNotifier.class);

    private final RftSubscriptions subscriptions;
    private final Function<String, Optional<RftRequests.Present>> requests;
    private final BiFunction<RftSubscription, RftRequests.Present, byte[]> messages;
    private final Consumers consumers;
    private final RftSettings settings;
    private final Semaphore deliveries;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    /** Subscriptions with something to tell; true where it has changed again since its teller last looked. */
    private final Map<String, Boolean> dirty = new ConcurrentHashMap<>();

    /** What each consumer was told last. */
    private final Map<String, String> told = new ConcurrentHashMap<>();

    /**
     * @param requests finds how a request stands
     * @param messages writes the message
     */
    RftNotifier(
            RftSubscriptions subscriptions,
            Function<String, Optional<RftRequests.Present>> requests,
            BiFunction<RftSubscription, RftRequests.Present, byte[]> messages,
            Consumers consumers,
            RftSettings settings) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.messages = requireNonNull(messages, "messages is null");
        this.consumers = requireNonNull(consumers, "consumers is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.deliveries = new Semaphore(settings.deliveries());
    }

    /** Something of the request has changed. Returns at once. */
    void changed(String request) {
        subscriptions.ofRequest(request).forEach(subscription -> wake(subscription.key()));
    }

    private void wake(String key) {
        if (!workers.isShutdown() && dirty.put(key, true) == null) {
            workers.execute(() -> tellAll(key));
        }
    }

    /** Tells until nothing is new. */
    private void tellAll(String key) {
        int failures = 0;
        long failingSince = 0;
        try {
            while (dirty.computeIfPresent(key, (same, again) -> again ? Boolean.FALSE : null) != null) {
                try {
                    tell(key);
                    failures = 0;
                } catch (IOException e) {
                    failingSince = failures == 0 ? System.nanoTime() : failingSince;
                    failures++;
                    if (System.nanoTime() - failingSince
                            > settings.giveUpAfter().toNanos()) {
                        giveUp(key, e);
                        return;
                    }
                    dirty.put(key, true);
                    Thread.sleep(pause(failures));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            dirty.remove(key);
            LOG.error("The subscription {} met an error that is not known; the next change is told again", key, e);
        }
    }

    private Duration pause(int failures) {
        Duration pause = settings.firstRetry().multipliedBy(1L << Math.min(failures - 1, 20));
        return pause.compareTo(settings.slowestRetry()) <= 0 ? pause : settings.slowestRetry();
    }

    private void tell(String key) throws IOException, InterruptedException {
        RftSubscription subscription = subscriptions.find(key).orElse(null);
        RftRequests.Present present = subscription == null
                ? null
                : requests.apply(subscription.request()).orElse(null);
        if (subscription == null || present == null || subscription.isPaused()) {
            return;
        }
        String state = subscription.topic().equals(RftNames.STATUS)
                ? present.status().word()
                : present.tally().toString();
        if (state.equals(told.get(key))) {
            return;
        }
        URI address;
        try {
            address = consumers.check(subscription.consumer().address());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        deliveries.acquire();
        try {
            consumers.send(address, messages.apply(subscription, present));
        } finally {
            deliveries.release();
        }
        told.put(key, state);
    }

    private void giveUp(String key, IOException last) {
        dirty.remove(key);
        told.remove(key);
        LOG.info("The consumer of the subscription {} is given up: {}", key, Reason.of(last));
        subscriptions.destroy(key);
    }

    /** The subscription is over. */
    void forget(String key) {
        told.remove(key);
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
