// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jobgate.address.ForbiddenAddressException;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.job.Job;
import org.jobgate.job.Reason;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells consumers of the changes of their jobs: each consumer in order, several at a time, again after a failure, and not for ever.
 *
 * <p>A message is sent at least once: the place in the change stream that is saved is never past one that was not delivered or given
 * up. No job waits for a consumer.
 */
final class Notifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private final JobStore store;
    private final Subscriptions subscriptions;
    private final Rendezvouses rendezvouses;
    private final NotifyMessage messages;
    private final ConsumerClient client;
    private final CallbackPolicy policy;
    private final NotifierSettings settings;
    private final Clock clock;
    private final DeliveryProgress progress;
    private final Map<String, ConsumerQueue> queues = new ConcurrentHashMap<>();
    private final BlockingQueue<ConsumerQueue> ready = new LinkedBlockingQueue<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gram-notifier-retries").factory());
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    Notifier(
            JobStore store,
            Subscriptions subscriptions,
            Rendezvouses rendezvouses,
            NotifyMessage messages,
            ConsumerClient client,
            CallbackPolicy policy,
            NotifierSettings settings,
            DeliveryProgress progress,
            Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.rendezvouses = requireNonNull(rendezvouses, "rendezvouses is null");
        this.messages = requireNonNull(messages, "messages is null");
        this.client = requireNonNull(client, "client is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    void start() {
        for (long i = 0; i < settings.deliveries().value(); i++) {
            workers.execute(this::work);
        }
    }

    /** A job has changed. */
    void changed(Change change) {
        List<Subscription> ofJob = subscriptions.ofJob(change.job());
        for (Subscription subscription : ofJob) {
            Instant expires = subscription.expires();
            if (expires != null && !expires.isAfter(clock.instant())) {
                forget(subscription);
            } else if (!subscription.isPaused() && concerns(subscription, change)) {
                offer(subscription, change);
            }
        }
        if (!ofJob.isEmpty() && change.to().isTerminal()) {
            endWithJob(change, ofJob);
        }
    }

    /** Whatever changes in a job after all have come to its rendezvous is a reason to tell of that whom nobody has told yet. */
    private boolean concerns(Subscription subscription, Change change) {
        return !subscription.isOfRendezvous() || rendezvouses.isComplete(change.job());
    }

    private void offer(Subscription subscription, Change change) {
        List<Change> overflow = new ArrayList<>();
        ConsumerQueue queue = queues.computeIfAbsent(
                subscription.key(), key -> new ConsumerQueue(subscription, settings.waitingMessages()));
        progress.begin(change.sequence());
        ConsumerQueue.Offer offer = queue.offer(change, overflow);
        if (offer == ConsumerQueue.Offer.NOT_NEWS) {
            progress.end(change.sequence());
        } else if (offer == ConsumerQueue.Offer.FIRST) {
            ready.add(queue);
        }
        overflow.forEach(left -> progress.end(left.sequence()));
    }

    /** Subscriptions of a job that its owner has destroyed end with it, once what is to be told was told. */
    private void endWithJob(Change change, List<Subscription> ofJob) {
        if (!store.find(change.job()).map(Job::isGone).orElse(true)) {
            return;
        }
        for (Subscription subscription : ofJob) {
            ConsumerQueue queue = queues.get(subscription.key());
            if (queue == null || queue.head().isEmpty()) {
                forget(subscription);
            }
        }
    }

    /** Its subscription was destroyed: only what may be on its way already is told. */
    void ended(String key) {
        ConsumerQueue queue = queues.remove(key);
        if (queue != null) {
            queue.endAfterHead().forEach(change -> progress.end(change.sequence()));
        }
    }

    private void work() {
        try {
            while (true) {
                ConsumerQueue queue = ready.take();
                try {
                    queue.head().ifPresent(change -> attempt(queue, change));
                } catch (RuntimeException e) {
                    LOG.error(
                            "The message to {} could not be made",
                            queue.subscription().consumer().address(),
                            e);
                    again(queue);
                }
            }
        } catch (InterruptedException e) {
            // the notifier is being closed: what was not delivered is sent after the next start
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(ConsumerQueue queue, Change change) {
        Subscription subscription = queue.subscription();
        try {
            URI address = policy.requireAddress(subscription.consumer().address());
            policy.requireHost(address);
            Optional<Job> job = store.find(change.job());
            client.send(address, messages.write(subscription, change, job));
            delivered.increment();
            boolean hasMore = queue.delivered();
            progress.end(change.sequence());
            afterDelivery(queue, hasMore, change);
        } catch (ForbiddenAddressException e) {
            drop(queue, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            failed.increment();
            LOG.debug(
                    "The consumer {} did not take a message: {}",
                    subscription.consumer().address(),
                    Reason.of(e));
            again(queue);
        } catch (IllegalArgumentException e) {
            drop(queue, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void afterDelivery(ConsumerQueue queue, boolean hasMore, Change change) {
        if (hasMore) {
            ready.add(queue);
        } else if (change.to().isTerminal()) {
            if (store.find(change.job()).map(Job::isGone).orElse(true)) {
                forget(queue.subscription());
            }
        }
    }

    private void again(ConsumerQueue queue) {
        if (queue.isDropped()) {
            queue.drop().forEach(change -> progress.end(change.sequence()));
            return;
        }
        Instant now = clock.instant();
        int failures = queue.failed(now);
        if (Duration.between(queue.failingSince(now), now).compareTo(settings.giveUpAfter()) >= 0) {
            drop(queue, "it did not take a message for " + settings.giveUpAfter());
            return;
        }
        try {
            var unused =
                    retries.schedule(() -> ready.add(queue), pause(failures).toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug(
                    "The notifier is closed: {} is tried after the next start",
                    queue.subscription().key());
        }
    }

    private Duration pause(int failures) {
        Duration pause = settings.firstRetry().multipliedBy(1L << Math.min(failures - 1, 20));
        return pause.compareTo(settings.slowestRetry()) <= 0 ? pause : settings.slowestRetry();
    }

    private void drop(ConsumerQueue queue, String why) {
        Subscription subscription = queue.subscription();
        dropped.increment();
        LOG.info(
                "The consumer {} of job {} is given up: {}",
                subscription.consumer().address(),
                subscription.job(),
                why);
        queue.drop().forEach(change -> progress.end(change.sequence()));
        forget(subscription);
    }

    private void forget(Subscription subscription) {
        ConsumerQueue queue = queues.remove(subscription.key());
        if (queue != null) {
            queue.drop().forEach(change -> progress.end(change.sequence()));
        }
        subscriptions.forget(subscription);
    }

    NotifierStatistics statistics() {
        return new NotifierStatistics(delivered.sum(), failed.sum(), dropped.sum(), queues.size());
    }

    @Override
    public void close() {
        retries.shutdownNow();
        workers.shutdownNow();
    }
}
