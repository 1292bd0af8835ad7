// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.Message;
import org.jobgate.notify.Recipient;

/**
 * Tells consumers how requests stand: always as they stand when the message is sent, so that only one message needs to wait for each
 * consumer and the last word always comes.
 */
final class RftNotifier {

    private final RftSubscriptions subscriptions;
    private final Function<String, Optional<RftRequests.Present>> requests;
    private final BiFunction<RftSubscription, RftRequests.Present, byte[]> messages;
    private final Deliveries deliveries;

    /** What each consumer was told last, by the key of the subscription. */
    private final Map<String, String> told = new ConcurrentHashMap<>();

    /**
     * @param requests finds how a request stands
     * @param messages writes the message
     * @param deliveries started and closed by their owner
     */
    RftNotifier(
            RftSubscriptions subscriptions,
            Function<String, Optional<RftRequests.Present>> requests,
            BiFunction<RftSubscription, RftRequests.Present, byte[]> messages,
            Deliveries deliveries) {
        this.subscriptions = requireNonNull(subscriptions, "subscriptions is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.messages = requireNonNull(messages, "messages is null");
        this.deliveries = requireNonNull(deliveries, "deliveries is null");
    }

    /** Something of the request has changed. Returns at once. */
    void changed(String request) {
        for (RftSubscription subscription : subscriptions.ofRequest(request)) {
            String key = subscription.key();
            Recipient recipient = new Recipient(
                    key,
                    subscription.owner(),
                    subscription.consumer().address(),
                    "RFT request " + request,
                    () -> giveUp(key));
            deliveries.offerNewest(recipient, new Standing(key));
        }
    }

    private void giveUp(String key) {
        forget(key);
        subscriptions.destroy(key);
    }

    /** The request is over, and its subscriptions with it. */
    void gone(String request) {
        subscriptions.ofRequest(request).forEach(subscription -> forget(subscription.key()));
        subscriptions.destroyOf(request);
    }

    /** The subscription is over. */
    void forget(String key) {
        told.remove(key);
        deliveries.end(key);
    }

    /** How a request stands for one subscriber, written when it is sent. */
    private final class Standing implements Message {

        private final String key;
        private String state = "";

        Standing(String key) {
            this.key = key;
        }

        @Override
        public Optional<byte[]> write() {
            RftSubscription subscription = subscriptions.find(key).orElse(null);
            RftRequests.Present present = subscription == null
                    ? null
                    : requests.apply(subscription.request()).orElse(null);
            if (subscription == null || present == null || subscription.isPaused()) {
                return Optional.empty();
            }
            state = subscription.topic().equals(RftNames.STATUS)
                    ? present.status().word()
                    : present.tally().toString();
            return state.equals(told.get(key)) ? Optional.empty() : Optional.of(messages.apply(subscription, present));
        }

        @Override
        public void delivered() {
            if (!state.isEmpty() && subscriptions.find(key).isPresent()) {
                told.put(key, state);
            }
        }

        @Override
        public void settled() {
            // nothing is kept for it: after a restart every request that is subscribed to is looked at anew
        }
    }
}
