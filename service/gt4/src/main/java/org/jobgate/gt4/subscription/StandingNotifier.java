// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.job.JobId;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.StandingDeliveries;
import org.jobgate.notify.StandingDeliveries.Standing;

/** Tells subscribers how the resources of a door stand, not each step that led there. What the door adds is what a message says. */
public final class StandingNotifier {

    private final Subscriptions subscriptions;
    private final Subscribers subscribers;
    private final StandingDeliveries deliveries;
    private final Function<Subscription, Optional<Standing>> standings;

    /**
     * @param kind what the resources are, for the log, e.g. {@code job}
     * @param standings how the resource of a subscription stands for its subscriber; empty where it is gone
     * @param deliveries started and closed by their owner
     */
    public StandingNotifier(
            Subscriptions subscriptions,
            String kind,
            Function<Subscription, Optional<Standing>> standings,
            Deliveries deliveries,
            Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.standings = requireNonNull(standings, "standings is null");
        this.deliveries = new StandingDeliveries(deliveries);
        this.subscribers = new Subscribers(subscriptions, kind, this.deliveries::end, clock);
    }

    /** Something of the resource has changed. Returns at once. */
    public void changed(JobId resource) {
        subscribers
                .of(resource)
                .forEach(subscription -> deliveries.changed(
                        subscribers.recipient(subscription),
                        () -> subscribers
                                .present(subscription)
                                .filter(present -> !present.isPaused())
                                .flatMap(standings)));
    }

    /** The resource is gone, and its subscriptions with it. */
    public void gone(JobId resource) {
        subscriptions.ofResource(resource).forEach(subscriptions::destroy);
    }
}
