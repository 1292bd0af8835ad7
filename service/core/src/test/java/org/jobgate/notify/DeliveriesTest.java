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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    /** Tries again soon, and gives nobody up within the time that a slow machine needs for some tries. */
    private static final DeliverySettings QUICK = givingUpAfter(Duration.ofMinutes(10));

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<String> settled = new CopyOnWriteArrayList<>();
    private final List<String> givenUp = new CopyOnWriteArrayList<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger refusals = new AtomicInteger();

    /** Consumers at port 1 wait until the gate is open; those at port 2 refuse as often as the test says. */
    private final ConsumerClient client = new ConsumerClient() {
        @Override
        public void send(URI address, byte[] envelope) throws IOException, InterruptedException {
            if (address.getPort() == 1) {
                open.await();
            }
            if (address.getPort() == 2 && refusals.getAndDecrement() > 0) {
                throw new IOException("not now");
            }
            sent.add(new String(envelope, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            // it holds nothing
        }
    };

    private final Deliveries deliveries = deliveries(QUICK);

    private Deliveries deliveries(DeliverySettings settings) {
        return new Deliveries(
                client, new CallbackPolicy(Destinations.ofSite(new OwnPorts())), settings, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        open.countDown();
        deliveries.close();
    }

    private static DeliverySettings givingUpAfter(Duration time) {
        return new DeliverySettings(
                new Limit("callbacks.maxDeliveries", 8),
                new Limit("callbacks.maxWaitingMessages", 3),
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                time);
    }

    private Recipient recipient(String key, String owner, String address) {
        return new Recipient(key, owner, address, "a job", () -> givenUp.add(key));
    }

    private Message message(String text) {
        return new Message() {
            @Override
            public Optional<byte[]> write() {
                return text.isEmpty() ? Optional.empty() : Optional.of(text.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public void settled() {
                settled.add(text);
            }
        };
    }

    private void awaitSent(String... texts) {
        await().untilAsserted(() -> assertThat(sent).containsExactly(texts));
    }

    @Test
    void aConsumerIsToldInOrderAlsoWhereItRefusesForAWhile() {
        refusals.set(3);
        Recipient one = recipient("one", "alice", "http://127.0.0.1:2/");
        deliveries.start();
        for (String text : List.of("a", "b", "c")) {
            deliveries.offer(one, message(text));
        }

        awaitSent("a", "b", "c");

        assertThat(deliveries.statistics().failed()).isEqualTo(3);
        await().untilAsserted(() -> assertThat(settled).containsExactly("a", "b", "c"));
        assertThat(deliveries.isIdle("one")).isTrue();
    }

    @Test
    void oneOwnersSilentConsumersLeaveOthersTheirWorkers() {
        deliveries.start();
        for (int i = 0; i < 50; i++) {
            deliveries.offer(recipient("m" + i, "mallory", "http://127.0.0.1:1/"), message("mallory"));
        }
        deliveries.offer(recipient("a", "alice", "http://127.0.0.1:3/"), message("alice"));

        awaitSent("alice");
        // it is counted until what is done after its message is done
        await().untilAsserted(
                        () -> assertThat(deliveries.statistics().waiting()).isEqualTo(50));
        open.countDown();
        await().untilAsserted(() -> assertThat(sent).hasSize(51));
    }

    @Test
    void theOldestBehindTheOneUnderWayAreLeftOut() {
        Recipient slow = recipient("slow", "alice", "http://127.0.0.1:1/");
        deliveries.start();
        for (String text : List.of("a", "b", "c", "d", "e")) {
            deliveries.offer(slow, message(text));
        }
        assertThat(settled).containsExactly("b", "c");
        open.countDown();

        awaitSent("a", "d", "e");
        assertThat(deliveries.statistics().leftOut()).isEqualTo(2);
    }

    @Test
    void theNewestTakesThePlaceOfAllThatWait() {
        Recipient slow = recipient("slow", "alice", "http://127.0.0.1:1/");
        deliveries.start();
        for (String text : List.of("a", "b", "c", "d", "e")) {
            deliveries.offerNewest(slow, message(text));
        }
        open.countDown();

        awaitSent("a", "e");
    }

    @Test
    void whoTakesNothingForTooLongIsGivenUp() {
        refusals.set(Integer.MAX_VALUE);
        try (Deliveries impatient = deliveries(givingUpAfter(Duration.ofMillis(300)))) {
            impatient.start();
            impatient.offer(recipient("dead", "alice", "http://127.0.0.1:2/"), message("a"));

            await().untilAsserted(() -> assertThat(givenUp).containsExactly("dead"));

            assertThat(settled).containsExactly("a");
            assertThat(impatient.statistics().givenUp()).isOne();
            assertThat(impatient.statistics().known()).isZero();
        }
    }

    @Test
    void anAddressThatMayNotBeCalledIsGivenUpAtOnce() {
        deliveries.start();
        deliveries.offer(recipient("ftp", "alice", "ftp://127.0.0.1/"), message("a"));

        await().untilAsserted(() -> assertThat(givenUp).containsExactly("ftp"));
        assertThat(sent).isEmpty();
    }

    @Test
    void whatHasNothingToTellAnyMoreIsSettledAndNotSent() {
        deliveries.start();
        deliveries.offer(recipient("one", "alice", "http://127.0.0.1:3/"), message(""));

        await().untilAsserted(() -> assertThat(settled).containsExactly(""));
        assertThat(sent).isEmpty();
    }

    @Test
    void nothingBehindTheOneUnderWayIsToldAfterTheEnd() {
        Recipient slow = recipient("slow", "alice", "http://127.0.0.1:1/");
        deliveries.start();
        deliveries.offer(slow, message("a"));
        deliveries.offer(slow, message("b"));
        deliveries.end("slow");
        open.countDown();

        awaitSent("a");
        await().untilAsserted(() -> assertThat(settled).containsExactlyInAnyOrder("b", "a"));
    }
}
