// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HeapRoomTest {

    private final AtomicReference<Double> used = new AtomicReference<>(0.5);
    private final AtomicReference<Double> live = new AtomicReference<>(0.5);
    private final AtomicInteger collections = new AtomicInteger();
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 10);
    private final HeapRoom heap = new HeapRoom(used::get, this::collect, time::get);

    private void collect() {
        collections.incrementAndGet();
        used.set(live.get());
    }

    @Test
    void aHeapWithRoomIsNotCollected() {
        assertThat(heap.isFull()).isFalse();
        assertThat(collections).hasValue(0);
    }

    @Test
    void garbageAloneDoesNotMakeItFull() {
        used.set(0.95);

        assertThat(heap.isFull()).isFalse();
        assertThat(collections).hasValue(1);
    }

    @Test
    void aFullHeapStaysFullAndIsCollectedOnceInAWhile() {
        used.set(0.95);
        live.set(0.95);

        for (int i = 0; i < 100; i++) {
            assertThat(heap.isFull()).isTrue();
        }
        assertThat(collections).hasValue(1);
    }

    @Test
    void thatThereIsRoomAgainIsSeen() {
        used.set(0.95);
        live.set(0.95);
        assertThat(heap.isFull()).isTrue();
        live.set(0.4);
        assertThat(heap.isFull()).isTrue();

        time.addAndGet(Duration.ofSeconds(5).toNanos());

        assertThat(heap.isFull()).isFalse();
        assertThat(collections).hasValue(2);
    }

    @Test
    void theHeapOfThisProcessHasRoom() {
        assertThat(HeapRoom.ofThisProcess().isFull()).isFalse();
    }
}
