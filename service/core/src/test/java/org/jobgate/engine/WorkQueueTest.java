// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static WorkQueue.Item item(String owner, String group) {
        return new WorkQueue.Item(new JobId(UUID.randomUUID()), owner, group);
    }

    @Test
    void ownersTakeTurnsHoweverManyJobsOneHas() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Semaphore gate = new Semaphore(0);
        List<WorkQueue.Item> items = new ArrayList<>();
        try (WorkQueue pool = new WorkQueue("test", 1, 1000, 1, (group, jobs) -> {
            gate.acquire();
            order.add(group);
        })) {
            for (int i = 0; i < 50; i++) {
                items.add(item("alice", "a"));
            }
            items.add(item("bob", "b"));
            items.forEach(pool::offer);
            gate.release(51);
            await().until(() -> order.size() == 51);
        }
        assertThat(order.indexOf("b")).isLessThanOrEqualTo(2);
    }

    @Test
    void aBatchHoldsOneGroupAndAtMostTheLimit() {
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gate = new CountDownLatch(1);
        try (WorkQueue pool = new WorkQueue("test", 1, 1000, 10, (group, jobs) -> {
            gate.await();
            sizes.add(jobs.size());
        })) {
            pool.offer(item("alice", "first"));
            for (int i = 0; i < 25; i++) {
                pool.offer(item("alice", "a"));
            }
            gate.countDown();
            await().until(() -> sizes.stream().mapToInt(Integer::intValue).sum() == 26);
        }
        assertThat(sizes).allMatch(size -> size <= 10).contains(10);
    }

    @Test
    void whatMustNotMeetTheWorkWaitsForItsEnd() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        WorkQueue.Item item = item("alice", "a");
        try (WorkQueue pool = new WorkQueue("test", 2, 1000, 10, (group, jobs) -> {
            begun.countDown();
            gate.await();
            order.add("work");
        })) {
            pool.whenFree(item.job(), () -> order.add("before"));
            pool.offer(item);
            await().until(() -> begun.getCount() == 0);
            pool.whenFree(item.job(), () -> order.add("after"));
            assertThat(order).containsExactly("before");
            gate.countDown();
            await().until(() -> order.size() == 3);
            pool.whenFree(item.job(), () -> order.add("at once"));
        }
        assertThat(order).containsExactly("before", "work", "after", "at once");
    }

    @Test
    void aJobOfferedWhileWorkedOnIsWorkedOnOnceMore() {
        AtomicInteger times = new AtomicInteger();
        AtomicInteger atOnce = new AtomicInteger();
        Semaphore gate = new Semaphore(0);
        WorkQueue.Item item = item("alice", "a");
        try (WorkQueue pool = new WorkQueue("test", 4, 1000, 10, (group, jobs) -> {
            assertThat(atOnce.incrementAndGet()).isEqualTo(1);
            gate.acquire();
            atOnce.decrementAndGet();
            times.incrementAndGet();
        })) {
            pool.offer(item);
            await().until(() -> pool.figures().busy() == 1);
            pool.offer(item);
            pool.offer(item);
            gate.release(3);
            await().until(() -> times.get() == 2);
        }
        assertThat(times).hasValue(2);
    }

    @Test
    void whatDoesNotFitIsToldOnceThereIsRoom() {
        Semaphore gate = new Semaphore(0);
        try (WorkQueue pool = new WorkQueue("test", 1, 2, 1, (group, jobs) -> gate.acquire())) {
            pool.offer(item("alice", "a"));
            await().until(() -> pool.figures().busy() == 1);
            for (int i = 0; i < 3; i++) {
                pool.offer(item("alice", "a"));
            }
            assertThat(pool.hasOverflowed()).as("no room yet").isFalse();
            assertThat(pool.figures().queued()).isEqualTo(2);
            gate.release(10);
            await().until(pool::hasOverflowed);
            assertThat(pool.hasOverflowed()).as("told once").isFalse();
        }
    }

    @Test
    void aPausedGroupWaitsAndTheOthersGoOn() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (WorkQueue pool = new WorkQueue("test", 1, 100, 1, (group, jobs) -> order.add(group))) {
            pool.pause("slow", Duration.ofHours(1));
            pool.offer(item("alice", "slow"));
            pool.offer(item("alice", "quick"));
            await().until(() -> order.contains("quick"));
            // over at once, and seen at the next look
            pool.pause("slow", Duration.ZERO);
            await().until(() -> order.size() == 2);
        }
        assertThat(order).containsExactly("quick", "slow");
    }

    @Test
    void workersAreAddedAndTakenAwayWhileItRuns() {
        AtomicInteger most = new AtomicInteger();
        AtomicInteger now = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        WorkQueue.Work work = (group, jobs) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            now.decrementAndGet();
            done.incrementAndGet();
        };
        try (WorkQueue pool = new WorkQueue("test", 1, 1000, 1, work)) {
            for (int i = 0; i < 10; i++) {
                pool.offer(item("o" + i, "g"));
            }
            await().until(() -> done.get() == 10);
            assertThat(most).hasValue(1);
            pool.resize(5);
            for (int i = 0; i < 40; i++) {
                pool.offer(item("o" + i, "g"));
            }
            await().until(() -> done.get() == 50);
            assertThat(most.get()).isGreaterThan(1).isLessThanOrEqualTo(5);
            most.set(0);
            pool.resize(1);
            for (int i = 0; i < 10; i++) {
                pool.offer(item("o" + i, "g"));
            }
            await().until(() -> done.get() == 60);
            assertThatThrownBy(() -> pool.resize(0)).hasMessageContaining("1 to 1024");
        }
    }

    @Test
    void workThatThrowsDoesNotEndTheWorker() {
        AtomicInteger times = new AtomicInteger();
        try (WorkQueue pool = new WorkQueue("test", 1, 100, 1, (group, jobs) -> {
            if (times.incrementAndGet() == 1) {
                throw new IllegalStateException("the first one fails, on purpose");
            }
        })) {
            pool.offer(item("alice", "a"));
            pool.offer(item("alice", "a"));
            await().until(() -> times.get() == 2);
            assertThat(pool.hasOverflowed())
                    .as("the failed job is looked for again")
                    .isTrue();
        }
    }

    /** An account whose process was stopped had every worker, each for the whole time that an answer is waited for. */
    @Test
    void aGroupThatHangsKeepsOneWorkerOnly() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        AtomicInteger hanging = new AtomicInteger();
        CountDownLatch others = new CountDownLatch(100);
        try (WorkQueue pool = new WorkQueue("test", 4, 1000, 1, (group, jobs) -> {
                    if (group.equals("Fork/a")) {
                        hanging.incrementAndGet();
                        hang.await();
                    } else {
                        others.countDown();
                    }
                })
                .oneForEachGroup()) {
            for (int i = 0; i < 100; i++) {
                // of several owners, who share the account
                pool.offer(item("a" + i % 10, "Fork/a"));
                pool.offer(item("b", "Fork/b"));
            }
            assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(hanging).hasValue(1);
            hang.countDown();
        }
    }

    /** The end of one batch wakes one worker, and this one the next: as many as find work must begin, or room for them stays empty. */
    @Test
    void theEndOfABatchBringsAsManyWorkersToWorkAsFindSome() throws Exception {
        AtomicInteger places = new AtomicInteger(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(3);
        WorkGate gate = new WorkGate() {
            @Override
            public boolean enter(WorkQueue.Item item) {
                return places.getAndUpdate(free -> Math.max(0, free - 1)) > 0;
            }

            @Override
            public void done(String group) {
                if (group.equals("first")) {
                    places.set(3);
                }
            }
        };
        try (WorkQueue pool = new WorkQueue("test", 4, 1000, 1, gate, (group, jobs) -> {
            if (group.equals("first")) {
                first.await();
            } else {
                together.countDown();
                assertThat(together.await(60, TimeUnit.SECONDS)).isTrue();
            }
        })) {
            pool.offer(item("alice", "first"));
            await().until(() -> pool.figures().busy() == 1);
            for (int i = 0; i < 3; i++) {
                pool.offer(item("alice", "then"));
            }
            first.countDown();
            assertThat(together.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void slowGroupsNeverHaveAllWorkers() {
        GroupsAtWork groups = new GroupsAtWork();
        long slow = GroupsAtWork.SLOW.toNanos();
        for (String group : List.of("a", "b", "c")) {
            groups.begin(group, group, 0);
            groups.done(group, group, slow);
        }
        groups.begin("a", "a", slow);
        assertThat(groups.mayBegin("a", 3, slow)).isFalse();
        assertThat(groups.mayBegin("b", 3, slow)).isTrue();
        groups.begin("b", "b", slow);
        assertThat(groups.mayBegin("c", 3, slow)).isFalse();
        assertThat(groups.mayBegin("d", 3, slow)).isTrue();
        groups.free("a", slow);
        groups.begin("a", "next", slow);
        groups.done("a", "a", slow);
        assertThat(groups.isHeld("a")).isTrue();
        assertThat(groups.mayBegin("c", 3, slow + slow + GroupsAtWork.REMEMBERED.toNanos()))
                .isTrue();
    }
}
