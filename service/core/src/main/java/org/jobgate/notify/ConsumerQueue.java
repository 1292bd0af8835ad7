// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for one consumer, in order.
 *
 * <p>INVARIANT: a queue is under way (in the hands of a worker, ready for one, or waiting for its next attempt) exactly while it holds a
 * message, and in one place only.
 */
final class ConsumerQueue {

    private final Recipient recipient;
    private final ArrayDeque<Message> waiting = new ArrayDeque<>();
    private int failures;
    private @Nullable Instant failingSince;
    private boolean isEnded;

    ConsumerQueue(Recipient recipient) {
        this.recipient = recipient;
    }

    Recipient recipient() {
        return recipient;
    }

    /**
     * Adds a message.
     *
     * @param limit of messages that wait; the head, which may be with a worker, is never left out
     * @param leftOut takes what is left out: the oldest behind the head, or the message itself where nothing more is to be told
     * @return whether it is the queue's first, so that the queue has to be set under way
     */
    synchronized boolean offer(Message message, long limit, List<Message> leftOut) {
        if (isEnded) {
            leftOut.add(message);
            return false;
        }
        waiting.add(message);
        while (waiting.size() > Math.max(limit, 2)) {
            Message head = waiting.removeFirst();
            leftOut.add(waiting.removeFirst());
            waiting.addFirst(head);
        }
        return waiting.size() == 1;
    }

    /** The message to be told next. */
    synchronized Optional<Message> head() {
        return Optional.ofNullable(waiting.peek());
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The head was told; answers whether there is more. */
    synchronized boolean delivered() {
        waiting.poll();
        failures = 0;
        failingSince = null;
        return !waiting.isEmpty();
    }

    /** The head could not be told; answers how often that happened now, one time after the other. */
    synchronized int failed(Instant now) {
        if (failingSince == null) {
            failingSince = now;
        }
        return ++failures;
    }

    synchronized Instant failingSince(Instant now) {
        return failingSince == null ? now : failingSince;
    }

    /** Nothing more is to be told but the head, which may be with a worker; answers what is not told. */
    synchronized List<Message> endAfterHead() {
        isEnded = true;
        List<Message> left = new ArrayList<>(waiting);
        if (!left.isEmpty()) {
            left.removeFirst();
            waiting.removeAll(left);
        }
        return left;
    }

    synchronized boolean isEnded() {
        return isEnded;
    }

    /** Nothing more is to be told; answers what was not. */
    synchronized List<Message> end() {
        isEnded = true;
        List<Message> left = new ArrayList<>(waiting);
        waiting.clear();
        return left;
    }
}
