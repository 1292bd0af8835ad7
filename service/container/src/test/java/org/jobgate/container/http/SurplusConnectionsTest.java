// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jobgate.container.tls.RefusalLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SurplusConnectionsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int MANY = 1000;

    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler();
    private final AtomicBoolean isFull = new AtomicBoolean(true);
    private final List<String> letOn = new CopyOnWriteArrayList<>();
    private final List<String> closed = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        scheduler.start();
    }

    @AfterEach
    void stop() throws Exception {
        scheduler.stop();
    }

    private SurplusConnections connections(Duration pause, Duration longestWait) {
        return new SurplusConnections(
                () -> isFull.get() ? 2 * MANY : 0,
                2 * MANY,
                scheduler,
                new RefusalLog(System::nanoTime),
                pause,
                longestWait);
    }

    private void enter(SurplusConnections connections, String address, int number) {
        for (int i = 0; i < number; i++) {
            connections.enter(address, () -> letOn.add(address), () -> closed.add(address));
        }
    }

    @Test
    void whileThereIsRoomAllAreLetOnAtOnce() {
        isFull.set(false);
        enter(connections(Duration.ofHours(1), Duration.ofHours(1)), "crowd", MANY);
        assertThat(letOn).hasSize(MANY);
    }

    @Test
    void whileThereIsNoneAFewAreLetOnAndTheOthersClosed() {
        Duration longestWait = Duration.ofMillis(500);
        Duration pause = Duration.ofMillis(100);
        enter(connections(pause, longestWait), "crowd", MANY);
        assertThat(letOn).hasSizeLessThan(MANY / 10).isNotEmpty();
        await().atMost(PATIENCE).until(() -> letOn.size() + closed.size() == MANY);
        assertThat(closed).hasSizeGreaterThan(MANY / 2);
    }

    @Test
    void addressesTakeTurns() {
        SurplusConnections connections = connections(Duration.ofMillis(50), PATIENCE.multipliedBy(2));
        enter(connections, "crowd", MANY);
        enter(connections, "other", 1);
        await().atMost(PATIENCE).until(() -> letOn.contains("other"));
        assertThat(letOn.indexOf("other")).isLessThan(MANY / 10);
    }

    @Test
    void forOnePlaceThatBecomesFreeOneIsLetOn() {
        SurplusConnections connections = new SurplusConnections(
                () -> 9, 10, scheduler, new RefusalLog(System::nanoTime), Duration.ofHours(1), Duration.ofHours(1));
        enter(connections, "crowd", MANY);
        // the second is told that there is no room
        assertThat(letOn).hasSize(2);
        assertThat(connections.waiting()).isEqualTo(MANY - 2);
    }

    @Test
    void allGoOnWhenThereIsRoomAgain() {
        SurplusConnections connections = connections(Duration.ofMillis(10), PATIENCE.multipliedBy(2));
        enter(connections, "crowd", MANY);
        isFull.set(false);
        await().atMost(PATIENCE).until(() -> letOn.size() == MANY);
        assertThat(connections.waiting()).isZero();
        assertThat(closed).isEmpty();
    }
}
