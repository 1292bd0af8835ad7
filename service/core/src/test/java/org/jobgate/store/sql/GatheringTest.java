// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;

/** A transaction waits a little for writes of those who work, and for nobody else. */
class GatheringTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int MOST = 512;

    private final WriteQueue<One> queue = new WriteQueue<>(new Limit("store.maxQueuedWrites", 100));
    private final Counting waits = new Counting();
    private final Gathering gathering = new Gathering(waits);

    private record One() implements WriteQueue.Weighted {
        @Override
        public int weight() {
            return 1;
        }
    }

    /** Answers what was said that would come, and counts how often it was asked to wait. */
    private static final class Counting implements Gathering.Wait {
        private int times;
        private int more;
        private int comes;

        @Override
        public int forMore(int expected) {
            times++;
            more = expected;
            return comes;
        }
    }

    private void gather(int working, int waiting) {
        gathering.gather(working, MOST - waiting);
    }

    @Test
    void whereNobodyElseWorksNothingIsWaitedFor() {
        gather(0, 1);

        assertThat(waits.times).isZero();
    }

    @Test
    void thoseWhoWorkAreWaitedForUpToAWholeTransaction() {
        gather(3, 1);
        assertThat(waits.more).isEqualTo(3);

        gather(3, MOST - 2);
        assertThat(waits.more).isEqualTo(2);

        gather(3, MOST);
        assertThat(waits.times).isEqualTo(2);
    }

    @Test
    void afterWaitingInVainItIsLeftAloneForAWhileAndTriedAgain() {
        for (int i = 0; i < Gathering.MOST_VAIN + Gathering.LEFT_ALONE; i++) {
            gather(3, 1);
        }
        assertThat(waits.times).isEqualTo(Gathering.MOST_VAIN);

        waits.comes = 1;
        for (int i = 0; i < 10; i++) {
            gather(3, 1);
        }
        assertThat(waits.times).isEqualTo(Gathering.MOST_VAIN + 10);
    }

    @Test
    void theWaitIsOverWhenAllHaveCome() {
        queue.offer(new One());
        FutureTask<Integer> wait = new FutureTask<>(() -> queue.await(2, LONG));
        Thread thread = Thread.ofPlatform().start(wait);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        queue.offer(new One());
        queue.offer(new One());

        await().until(wait::isDone);

        assertThat(queue.take(MOST)).hasSize(3);
    }

    @Test
    void theWaitIsOverWhenTheTimeIs() {
        queue.offer(new One());

        assertThat(queue.await(2, Duration.ofMillis(1))).isZero();
        assertThat(queue.take(MOST)).hasSize(1);
    }

    @Test
    void theWaitIsOverWhenTheStoreIsClosed() {
        queue.offer(new One());
        FutureTask<Integer> wait = new FutureTask<>(() -> queue.await(2, LONG));
        Thread.ofVirtual().start(wait);

        queue.close();

        await().until(wait::isDone);
        assertThat(queue.take(MOST)).hasSize(1);
        queue.await();
        assertThat(queue.take(MOST)).isEqualTo(List.of());
    }

    @Test
    void afterAWaitTheFirstWriteIsTakenAlone() throws Exception {
        queue.offer(new One());
        assertThat(queue.await(5, Duration.ofMillis(1))).isZero();
        queue.take(MOST);
        FutureTask<List<One>> next = new FutureTask<>(() -> {
            queue.await();
            return queue.take(MOST);
        });
        Thread.ofVirtual().start(next);

        queue.offer(new One());

        assertThat(next.get(2, TimeUnit.MINUTES)).hasSize(1);
    }
}
