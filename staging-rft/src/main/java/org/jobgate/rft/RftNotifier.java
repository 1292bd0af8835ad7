// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.JobId;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.Message;
import org.jobgate.notify.Recipient;

/**
 * Tells consumers how requests stand: always as they stand when the message is sent, so that only one message needs to wait for each
 * consumer and the last word always comes.
 */
final class RftNotifier {

    private final Subscriptions subscriptions;
    private final Function<String, Optional<RftRequests.Present>> requests;
    private final BiFunction<Subscription, RftRequests.Present, byte[]> messages;
    private final Deliveries deliveries;
    private final Clock clock;

    /** The last message to each consumer, by the key of the subscription. */
    private final Map<String, String> told = new ConcurrentHashMap<>();

    /**
     * @param requests finds how a request stands
     * @param messages writes the message
     * @param deliveries started and closed by their owner
     */
    RftNotifier(
            Subscriptions subscriptions,
            Function<String, Optional<RftRequests.Present>> requests,
            BiFunction<Subscription, RftRequests.Present, byte[]> messages,
            Deliveries deliveries,
            Clock clock) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.messages = requireNonNull(messages, "messages is null");
        this.deliveries = requireNonNull(deliveries, "deliveries is null");
        this.clock = requireNonNull(clock, "clock is null");
        subscriptions.onDestroyed(this::ended);
    }

    /** Something of the request has changed. Returns at once. */
    void changed(String request) {
        for (Subscription subscription : subscriptions.ofResource(JobId.parse(request))) {
            if (subscription.isOver(clock.instant())) {
                forget(subscription);
            } else {
                deliveries.offerNewest(recipient(subscription), new Standing(subscription));
            }
        }
    }

    private Recipient recipient(Subscription subscription) {
        return new Recipient(
                subscription.key(),
                subscription.owner(),
                subscription.consumer().address(),
                "RFT request " + subscription.resource(),
                () -> forget(subscription));
    }

    private void forget(Subscription subscription) {
        ended(subscription.key());
        subscriptions.forget(subscription);
    }

    /** The request is over, and its subscriptions with it. */
    void gone(String request) {
        subscriptions.ofResource(JobId.parse(request)).forEach(subscriptions::destroy);
    }

    private void ended(String key) {
        told.remove(key);
        deliveries.end(key);
    }

    /** How a request stands for one subscriber, written when it is sent. */
    private final class Standing implements Message {

        private final Subscription offered;
        private String state = "";

        Standing(Subscription offered) {
            this.offered = offered;
        }

        /** The subscription as it is now; empty where it is over. */
        private Optional<Subscription> present() {
            return subscriptions.ofResource(offered.resource()).stream()
                    .filter(one -> one.key().equals(offered.key()) && !one.isOver(clock.instant()))
                    .findFirst();
        }

        @Override
        public Optional<byte[]> write() {
            Subscription subscription = present().orElse(null);
            RftRequests.Present present = subscription == null
                    ? null
                    : requests.apply(subscription.resource().toString()).orElse(null);
            if (subscription == null || present == null || subscription.isPaused()) {
                return Optional.empty();
            }
            state = subscription.topic().getLocalPart().equals(RftNames.STATUS)
                    ? present.status().word()
                    : present.tally().toString();
            return state.equals(told.get(offered.key()))
                    ? Optional.empty()
                    : Optional.of(messages.apply(subscription, present));
        }

        @Override
        public void delivered() {
            if (!state.isEmpty() && present().isPresent()) {
                told.put(offered.key(), state);
            }
        }

        @Override
        public void settled() {
            // nothing is kept for it: after a restart every request that is subscribed to is looked at anew
        }
    }
}
