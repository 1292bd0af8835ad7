// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.job.JobState;
import org.jobgate.limits.Limit;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * What still has to be told to one consumer, in order.
 *
 * <p>INVARIANT: a queue is on its way (in the hands of a worker, ready for one, or waiting for its next attempt) exactly while it
 * holds a change, and in one place only.
 */
final class ConsumerQueue {

    private final Subscription subscription;
    private final Limit limit;
    private final ArrayDeque<Change> waiting = new ArrayDeque<>();
    private String lastState = StateNames.of(JobState.UNSUBMITTED);
    private boolean lastHolding;
    private boolean hasMet;
    private int failures;
    private @Nullable Instant failingSince;
    private boolean isDropped;

    ConsumerQueue(Subscription subscription, Limit limit) {
        this.subscription = subscription;
        this.limit = limit;
    }

    Subscription subscription() {
        return subscription;
    }

    /** What became of an offered change. */
    enum Offer {
        /** It is the queue's first: the queue has to be set on its way. */
        FIRST,
        ADDED,
        /** A client sees no difference to what it was told before. */
        NOT_NEWS
    }

    /**
     * Adds a change.
     *
     * @param overflow takes what is left out because too much waits
     */
    synchronized Offer offer(Change change, List<Change> overflow) {
        if (isDropped || !isNews(change)) {
            return Offer.NOT_NEWS;
        }
        waiting.add(change);
        // the one at the head may be with a worker: the next after it is the oldest that can be left out
        while (waiting.size() > Math.max(limit.value(), 2)) {
            Change head = waiting.removeFirst();
            overflow.add(waiting.removeFirst());
            waiting.addFirst(head);
        }
        return waiting.size() == 1 ? Offer.FIRST : Offer.ADDED;
    }

    /** A rendezvous is complete once; a state is news when it is another one than before. */
    private boolean isNews(Change change) {
        if (subscription.isOfRendezvous()) {
            boolean isFirst = !hasMet;
            hasMet = true;
            return isFirst;
        }
        String state = StateNames.of(change.to());
        boolean isNews = !state.equals(lastState) || change.holding() != lastHolding;
        lastState = state;
        lastHolding = change.holding();
        return isNews;
    }

    /** The change to be told next. */
    synchronized Optional<Change> head() {
        return Optional.ofNullable(waiting.peek());
    }

    /** The head was told; answers whether there is more. */
    synchronized boolean delivered() {
        waiting.poll();
        failures = 0;
        failingSince = null;
        return !waiting.isEmpty();
    }

    /** The head could not be told; answers how often that happened now, one after the other. */
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
    synchronized List<Change> endAfterHead() {
        isDropped = true;
        List<Change> left = new ArrayList<>(waiting);
        if (!left.isEmpty()) {
            left.removeFirst();
            waiting.removeAll(left);
        }
        return left;
    }

    synchronized boolean isDropped() {
        return isDropped;
    }

    /** Nothing more is to be told; answers what was not. */
    synchronized List<Change> drop() {
        isDropped = true;
        List<Change> left = new ArrayList<>(waiting);
        waiting.clear();
        return left;
    }
}
