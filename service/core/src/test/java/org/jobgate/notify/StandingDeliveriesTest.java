// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.limits.Limit;
import org.jobgate.notify.StandingDeliveries.Standing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StandingDeliveriesTest {

    private static final DeliverySettings QUICK = new DeliverySettings(
            new Limit("callbacks.maxDeliveries", 4),
            new Limit("callbacks.maxWaitingMessages", 3),
            Duration.ofMillis(5),
            Duration.ofMillis(20),
            Duration.ofSeconds(30));

    private static final Recipient ONE = new Recipient("one", "alice", "http://127.0.0.1:1/", "a request", () -> {});

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final Semaphore gate = new Semaphore(0);
    private final AtomicBoolean refuses = new AtomicBoolean();
    private final AtomicReference<@Nullable String> state = new AtomicReference<>();

    /** A consumer that takes a message when the gate lets one pass. */
    private final ConsumerClient client = new ConsumerClient() {
        @Override
        public void send(URI address, byte[] envelope) throws IOException, InterruptedException {
            gate.acquire();
            if (refuses.getAndSet(false)) {
                throw new IOException("not now");
            }
            sent.add(new String(envelope, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            // it holds nothing
        }
    };

    private final Deliveries deliveries =
            new Deliveries(client, new CallbackPolicy(Destinations.ofSite(new OwnPorts())), QUICK, Clock.systemUTC());
    private final StandingDeliveries standings = new StandingDeliveries(deliveries);

    @BeforeEach
    void start() {
        deliveries.start();
    }

    @AfterEach
    void close() {
        deliveries.close();
    }

    private void changed(String now) {
        state.set(now);
        changed();
    }

    private void changed() {
        standings.changed(
                ONE,
                () -> Optional.ofNullable(state.get())
                        .map(word -> new Standing(word, () -> word.getBytes(StandardCharsets.UTF_8))));
    }

    private void awaitIdle() {
        await().until(() -> deliveries.isIdle(ONE.key()));
    }

    @Test
    void theLastStateComesAndThoseBeforeItWhoseTurnDidNotComeDoNot() {
        changed("a");
        await().until(gate::hasQueuedThreads);
        changed("b");
        changed("c");
        changed("d");
        gate.release(10);

        await().untilAsserted(() -> assertThat(sent).containsExactly("a", "d"));
        awaitIdle();
        assertThat(sent).containsExactly("a", "d");
    }

    @Test
    void whatWasToldIsNotToldAgainAndIsAfterAnother() {
        gate.release(10);
        changed("a");
        awaitIdle();
        changed();
        awaitIdle();
        assertThat(sent).containsExactly("a");

        changed("b");
        awaitIdle();
        changed("a");
        awaitIdle();
        assertThat(sent).containsExactly("a", "b", "a");
    }

    @Test
    void aMessageThatWasRefusedIsWrittenAnewAndSaysHowItStandsThen() {
        refuses.set(true);
        changed("a");
        await().until(gate::hasQueuedThreads);
        state.set("b");
        gate.release(10);

        await().untilAsserted(() -> assertThat(sent).containsExactly("b"));
    }

    @Test
    void whereThereIsNothingToTellNothingIsSentAndTheNextChangeIs() {
        gate.release(10);
        changed();
        awaitIdle();
        assertThat(sent).isEmpty();

        changed("a");
        await().untilAsserted(() -> assertThat(sent).containsExactly("a"));
    }

    @Test
    void aRecipientThatIsOverIsToldOnlyWhatIsUnderWayAndOneWithItsKeyIsNew() {
        changed("a");
        await().until(gate::hasQueuedThreads);
        changed("b");
        standings.end(ONE.key());
        gate.release(10);
        await().untilAsserted(() -> assertThat(sent).containsExactly("a"));

        changed("a");
        await().untilAsserted(() -> assertThat(sent).containsExactly("a", "a"));
    }
}
