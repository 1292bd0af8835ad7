// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jobgate.address.ForbiddenAddressException;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to consumers: to each in order and one at a time, to several at once, again after a failure, and not for ever. Owners
 * take turns. Waiting messages are in memory only; the sender of a message learns by {@link Message#settled} when it needs no repetition
 * after a restart.
 */
public final class Deliveries implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final ConsumerClient client;
    private final CallbackPolicy policy;
    private final DeliverySettings settings;
    private final Clock clock;
    private final OwnersTurns ready;
    private final Map<String, ConsumerQueue> queues = new ConcurrentHashMap<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("notification-retries").factory());
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder leftOut = new LongAdder();
    private final LongAdder givenUp = new LongAdder();

    /**
     * Deliveries that have not started.
     *
     * @param client sends the messages; closed by its owner
     * @param policy which addresses may be called
     */
    public Deliveries(ConsumerClient client, CallbackPolicy policy, DeliverySettings settings, Clock clock) {
        this.client = requireNonNull(client, "client is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.ready = new OwnersTurns(settings.deliveriesPerOwner());
    }

    /** Begins to send. */
    public void start() {
        for (long i = 0; i < settings.deliveries().value(); i++) {
            workers.execute(this::work);
        }
    }

    /** Sends the message after those that wait for the recipient. Returns at once. */
    public void offer(Recipient recipient, Message message) {
        offer(recipient, message, settings.waitingMessages().value());
    }

    /** Sends the message after the one that is under way to the recipient, in place of all that wait behind that one. Returns at once. */
    public void offerNewest(Recipient recipient, Message message) {
        offer(recipient, message, 2);
    }

    private void offer(Recipient recipient, Message message, long limit) {
        List<Message> left = new ArrayList<>();
        ConsumerQueue queue = queues.computeIfAbsent(recipient.key(), key -> new ConsumerQueue(recipient));
        if (queue.offer(message, limit, left)) {
            ready.add(queue);
        }
        leaveOut(left);
    }

    /** Whether nothing is under way to the recipient of this key. */
    public boolean isIdle(String key) {
        ConsumerQueue queue = queues.get(key);
        return queue == null || queue.isEmpty();
    }

    /** Nothing more is told to the recipient of this key, but what may be under way already. */
    public void end(String key) {
        ConsumerQueue queue = queues.remove(key);
        if (queue != null) {
            leaveOut(queue.endAfterHead());
        }
    }

    private void leaveOut(List<Message> messages) {
        leftOut.add(messages.size());
        messages.forEach(Message::settled);
    }

    private void work() {
        try {
            while (true) {
                ConsumerQueue queue = ready.take();
                try {
                    queue.head().ifPresent(message -> attempt(queue, message));
                } catch (RuntimeException e) {
                    LOG.error(
                            "The message to {} could not be made",
                            queue.recipient().address(),
                            e);
                    again(queue);
                } finally {
                    ready.done(queue);
                }
            }
        } catch (InterruptedException e) {
            // the deliveries are being closed: what was not delivered is sent after the next start
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(ConsumerQueue queue, Message message) {
        URI address;
        try {
            address = policy.requireAddress(queue.recipient().address());
        } catch (IllegalArgumentException e) {
            giveUp(queue, String.valueOf(e.getMessage()));
            return;
        }
        try {
            Optional<byte[]> content = message.write();
            if (content.isPresent()) {
                policy.check(address);
                client.send(address, content.get());
                delivered.increment();
            }
        } catch (ForbiddenAddressException e) {
            giveUp(queue, String.valueOf(e.getMessage()));
            return;
        } catch (IOException e) {
            failed.increment();
            LOG.debug("The consumer {} did not take a message: {}", address, Reason.of(e));
            again(queue);
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        boolean hasMore = queue.delivered();
        message.delivered();
        if (hasMore) {
            ready.add(queue);
        }
    }

    private void again(ConsumerQueue queue) {
        if (queue.isEnded()) {
            leaveOut(queue.end());
            return;
        }
        Instant now = clock.instant();
        int failures = queue.failed(now);
        if (Duration.between(queue.failingSince(now), now).compareTo(settings.giveUpAfter()) >= 0) {
            giveUp(queue, "it did not take a message for " + settings.giveUpAfter());
            return;
        }
        try {
            var unused = retries.schedule(
                    () -> ready.add(queue), settings.pause(failures).toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug(
                    "The deliveries are closed: {} is tried after the next start",
                    queue.recipient().key());
        }
    }

    private void giveUp(ConsumerQueue queue, String why) {
        Recipient recipient = queue.recipient();
        givenUp.increment();
        LOG.info("The consumer {} of {} is given up: {}", recipient.address(), recipient.subject(), why);
        queues.remove(recipient.key(), queue);
        leaveOut(queue.end());
        recipient.givenUp().run();
    }

    /** Figures since the start. */
    public DeliveryStatistics statistics() {
        int waiting = Math.toIntExact(
                queues.values().stream().filter(queue -> !queue.isEmpty()).count());
        return new DeliveryStatistics(
                delivered.sum(), failed.sum(), leftOut.sum(), givenUp.sum(), queues.size(), waiting);
    }

    /** Stops to send. What was not delivered is not settled. */
    @Override
    public void close() {
        retries.shutdownNow();
        workers.shutdownNow();
    }
}
