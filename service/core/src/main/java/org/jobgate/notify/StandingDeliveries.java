// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells recipients how something stands: always as it stands when the message is sent, so that only one message needs to wait for each recipient, and
 * the last word always comes. What a recipient was told last is not told again. Nothing of it is kept over a restart: then whoever uses it has
 * everything that recipients wait for looked at anew.
 */
public final class StandingDeliveries {

    /**
     * How something stands for one recipient.
     *
     * @param state by which a repetition is known
     * @param message writes the message that says it
     */
    public record Standing(String state, Supplier<byte[]> message) {
        public Standing {
            requireNonNull(state, "state is null");
            requireNonNull(message, "message is null");
        }
    }

    private final Deliveries deliveries;

    /** The last message to each recipient that is not over, by its key. */
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    /**
     * What a message said when it was written last. A message that comes after it for the same recipient is written when this one was delivered.
     *
     * @param by absent before the first
     */
    private record Told(String state, @Nullable Message by) {

        static final Told NOTHING = new Told("", null);

        boolean repeats(Standing now, Message next) {
            return by != null && by != next && state.equals(now.state());
        }
    }

    /** @param deliveries started and closed by their owner */
    public StandingDeliveries(Deliveries deliveries) {
        this.deliveries = requireNonNull(deliveries, "deliveries is null");
    }

    /**
     * Something has changed that the recipient waits for. Returns at once.
     *
     * @param standing is asked when the message is sent; empty where there is nothing to tell the recipient then
     */
    public void changed(Recipient recipient, Supplier<Optional<Standing>> standing) {
        told.putIfAbsent(recipient.key(), Told.NOTHING);
        deliveries.offerNewest(recipient, new Newest(recipient.key(), standing));
    }

    /** Nothing more is told to the recipient of this key, but what may be under way already. */
    public void end(String key) {
        told.remove(key);
        deliveries.end(key);
    }

    /** How something stands, written when it is sent. */
    private final class Newest implements Message {

        private final String key;
        private final Supplier<Optional<Standing>> standing;

        Newest(String key, Supplier<Optional<Standing>> standing) {
            this.key = key;
            this.standing = requireNonNull(standing, "standing is null");
        }

        @Override
        public Optional<byte[]> write() {
            Standing now = standing.get().orElse(null);
            Told before = told.getOrDefault(key, Told.NOTHING);
            if (now == null || before.repeats(now, this)) {
                return Optional.empty();
            }
            // not for one that has ended meanwhile
            told.computeIfPresent(key, (recipient, last) -> new Told(now.state(), this));
            return Optional.of(now.message().get());
        }

        @Override
        public void settled() {
            // the newest state is asked for at the next change, or after a restart
        }
    }
}
