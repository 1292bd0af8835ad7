// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jobgate.job.JobId;
import org.jobgate.notify.Recipient;

/** The subscriptions to the resources of one door as recipients of messages. */
public final class Subscribers {

    private final Subscriptions subscriptions;
    private final String kind;
    private final Consumer<String> onEnd;
    private final Clock clock;

    /**
     * @param kind what the resources are, for the log, e.g. {@code job}
     * @param onEnd is told the key of a subscription that is over, before that is forgotten: nothing more is to be sent for it
     */
    public Subscribers(Subscriptions subscriptions, String kind, Consumer<String> onEnd, Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.kind = requireNonNull(kind, "kind is null");
        this.onEnd = requireNonNull(onEnd, "onEnd is null");
        this.clock = requireNonNull(clock, "clock is null");
        subscriptions.onDestroyed(onEnd);
    }

    /** The resource's subscriptions. Those whose time is over are forgotten. */
    public List<Subscription> of(JobId resource) {
        List<Subscription> present = new ArrayList<>();
        for (Subscription subscription : subscriptions.ofResource(resource)) {
            if (subscription.isOver(clock.instant())) {
                forget(subscription);
            } else {
                present.add(subscription);
            }
        }
        return present;
    }

    /** The subscription as it is now; empty where it is over. */
    public Optional<Subscription> present(Subscription before) {
        return subscriptions.ofResource(before.resource()).stream()
                .filter(one -> one.key().equals(before.key()) && !one.isOver(clock.instant()))
                .findFirst();
    }

    /** Whom messages for the subscription go to. */
    public Recipient recipient(Subscription subscription) {
        return new Recipient(
                subscription.key(),
                subscription.owner(),
                subscription.consumer().address(),
                kind + " " + subscription.resource(),
                () -> forget(subscription));
    }

    /** Ends the subscription: its resource is gone, its time is over, or its consumer is given up. */
    public void forget(Subscription subscription) {
        onEnd.accept(subscription.key());
        subscriptions.forget(subscription);
    }
}
