// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private static final Duration LEASE = Duration.ofMillis(100);
    private static final int PATIENCE_SECONDS = 60;

    private final AtomicLong now = new AtomicLong();

    /** Who got a place, in this order. */
    private final List<Turns.Turn> begun = new ArrayList<>();

    private Turns turns(int places, boolean keeps) {
        return new Turns(places, keeps, LEASE, now::get);
    }

    private void enter(Turns turns, String owner, int times) {
        for (int i = 0; i < times; i++) {
            turns.enter(owner, begun::add);
        }
    }

    private List<String> owners() {
        return begun.stream().map(Turns.Turn::owner).toList();
    }

    @Test
    void whoHasOneRequestIsNextHoweverManyAnotherHas() {
        Turns turns = turns(1, false);
        enter(turns, "crowd", 1000);
        enter(turns, "other", 1);
        assertThat(owners()).containsExactly("crowd");
        begun.getFirst().end();
        assertThat(owners()).containsExactly("crowd", "crowd");
        begun.getLast().end();
        assertThat(owners()).containsExactly("crowd", "crowd", "other");
    }

    @Test
    void aPlaceIsKeptForWhoComesWhileACrowdWaits() {
        Turns turns = turns(64, true);
        enter(turns, "crowd", 1000);
        assertThat(turns.working()).isEqualTo(32);
        enter(turns, "other", 1);
        assertThat(owners()).hasSize(33).endsWith("other");
        assertThat(turns.waiting()).isEqualTo(968);
    }

    @Test
    void whenManyCrowdsHaveAllPlacesWhoComesGetsTheNext() {
        Turns turns = turns(64, true);
        for (int i = 0; i < 7; i++) {
            enter(turns, "crowd " + i, 1000);
        }
        assertThat(turns.working()).isEqualTo(64);
        enter(turns, "other", 1);
        assertThat(owners()).doesNotContain("other");
        begun.getFirst().end();
        assertThat(owners()).hasSize(65).endsWith("other");
    }

    @Test
    void ofOneOwnerTheFirstIsServedFirst() {
        Turns turns = turns(1, true);
        Turns.Turn first = turns.enter("a", begun::add);
        Turns.Turn second = turns.enter("a", begun::add);
        Turns.Turn third = turns.enter("a", begun::add);
        first.end();
        second.end();
        assertThat(begun).containsExactly(first, second, third);
    }

    @Test
    void aCrowdOfOwnersTakesTurns() {
        Turns turns = turns(1, true);
        enter(turns, "a", 3);
        enter(turns, "b", 3);
        enter(turns, "c", 1);
        for (int i = 0; i < 7; i++) {
            begun.get(i).end();
        }
        assertThat(owners()).containsExactly("a", "a", "b", "c", "a", "b", "b");
        assertThat(turns.working()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void whoWantsNoMoreLeavesNothing() {
        Turns turns = turns(1, true);
        enter(turns, "a", 1);
        List<Turns.Turn> gone = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            gone.add(turns.enter("b", begun::add));
        }
        gone.forEach(Turns.Turn::cancel);
        assertThat(turns.waiting()).isZero();
        begun.getFirst().cancel();
        assertThat(turns.working()).as("one that is at work ends itself").isEqualTo(1);
        begun.getFirst().end();
        begun.getFirst().end();
        enter(turns, "c", 2);
        assertThat(owners()).containsExactly("a", "c");
    }

    @Test
    void whatHasBeenReadComesBeforeWhatHasNotAndIsBounded() throws Exception {
        Turns turns = turns(1, true);
        enter(turns, "a", 2);
        List<FutureTask<Turns.Turn>> waiting = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            FutureTask<Turns.Turn> one = new FutureTask<>(() -> requireNonNull(turns.await("a", 2)));
            Thread.ofVirtual().start(one);
            waiting.add(one);
            int so = 1 + i;
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> turns.waiting() == so);
        }
        assertThat(turns.await("a", 2)).isNull();
        begun.getFirst().end();
        Turns.Turn first = waiting.getFirst().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        first.end();
        waiting.getLast().get(PATIENCE_SECONDS, TimeUnit.SECONDS).end();
        assertThat(begun).hasSize(2);
    }

    /** As when all who follow an owner's changes are woken by each change that the owner's new request makes. */
    @Test
    void anOwnersNewRequestComesThoughItsPausedOnesComeBackAgainAndAgain() throws Exception {
        Turns turns = turns(1, false);
        enter(turns, "a", 1);
        List<FutureTask<Turns.Turn>> waiting = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            FutureTask<Turns.Turn> one = new FutureTask<>(() -> {
                Turns.Turn turn = requireNonNull(turns.await("a", 100));
                synchronized (begun) {
                    begun.add(turn);
                }
                turn.end();
                return turn;
            });
            Thread.ofVirtual().start(one);
            waiting.add(one);
            int so = i;
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> turns.waiting() == so);
        }
        List<Integer> before = new ArrayList<>();
        turns.enter("a", turn -> {
            synchronized (begun) {
                before.add(begun.size());
            }
            turn.end();
        });
        begun.getFirst().end();
        for (FutureTask<Turns.Turn> one : waiting) {
            one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        assertThat(before).as("the first, and four of those that had been read").containsExactly(5);
    }

    @Test
    void whoPausesLetsOthersWorkAndWaitsForAPlaceAgain() throws Exception {
        Turns turns = turns(1, true);
        enter(turns, "a", 1);
        enter(turns, "b", 2);
        Turns.Turn a = begun.getFirst();
        a.pause();
        a.pause();
        assertThat(owners()).containsExactly("a", "b");
        FutureTask<Boolean> again = new FutureTask<>(() -> {
            turns.resume(a);
            return true;
        });
        Thread.ofVirtual().start(again);
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> turns.waiting() == 2);
        begun.get(1).end();
        begun.get(2).end();
        assertThat(again.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(turns.working()).isEqualTo(1);
        turns.resume(a);
        a.end();
        assertThat(turns.working()).isZero();
    }

    /** As when many writes are on disk together: only those that have a place need a thread. */
    @Test
    void whoPausesUntilSomethingIsDoneGoesOnOnlyWhenThereIsAPlaceToo() throws Exception {
        Turns turns = turns(1, true);
        enter(turns, "a", 1);
        enter(turns, "b", 1);
        Turns.Turn a = begun.getFirst();
        CompletableFuture<String> write = new CompletableFuture<>();
        FutureTask<Boolean> again = new FutureTask<>(() -> {
            turns.pauseUntil(a, write);
            return true;
        });
        Thread thread = Thread.ofPlatform().start(again);
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> turns.waiting() == 0 && thread.getState() == Thread.State.WAITING);
        assertThat(owners()).containsExactly("a", "b");
        write.complete("on disk");
        assertThat(turns.waiting()).as("the paused one wants its place again").isEqualTo(1);
        assertThat(again.isDone()).isFalse();
        begun.getLast().end();
        assertThat(again.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(turns.working()).isEqualTo(1);
        turns.pauseUntil(a, write);
        assertThat(turns.working()).as("what is done already is not waited for").isEqualTo(1);
        a.end();
        turns.pauseUntil(a, write);
        assertThat(turns.working()).as("who wants no place any more gets none").isZero();
    }

    @Test
    void whoIsInterruptedWhilePausedWantsNoPlaceAnyMore() throws Exception {
        Turns turns = turns(1, true);
        enter(turns, "a", 1);
        CompletableFuture<String> write = new CompletableFuture<>();
        FutureTask<Boolean> paused = new FutureTask<>(() -> {
            assertThatThrownBy(() -> turns.pauseUntil(begun.getFirst(), write))
                    .isInstanceOf(InterruptedException.class);
            return true;
        });
        Thread thread = Thread.ofPlatform().start(paused);
        thread.interrupt();
        assertThat(paused.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        write.complete("on disk");
        assertThat(turns.working()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    /** A connection may close while its request, which has paused, waits for a place again: with locks, perhaps. */
    @Test
    void aRequestThatWaitsForAPlaceAgainGetsItThoughItsConnectionHasClosed() throws Exception {
        Turns turns = turns(1, true);
        enter(turns, "a", 1);
        enter(turns, "b", 1);
        Turns.Turn a = begun.getFirst();
        a.pause();
        FutureTask<Boolean> again = new FutureTask<>(() -> {
            turns.resume(a);
            return true;
        });
        Thread.ofVirtual().start(again);
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> turns.waiting() == 1);
        a.cancel();
        begun.getLast().end();
        assertThat(again.get(1, TimeUnit.MINUTES)).isTrue();
        a.end();
        assertThat(turns.working()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void whoOnlyWaitsLosesThePlaceAndWhoWorksDoesNot() throws Exception {
        Turns turns = turns(2, false);
        CountDownLatch over = new CountDownLatch(1);
        turns.enter("waits", turn -> {
            begun.add(turn);
            Thread.ofVirtual().start(() -> {
                turn.workHere();
                awaitQuietly(over);
            });
        });
        Thread worker = Thread.ofPlatform().start(() -> {
            turns.enter("works", turn -> {
                begun.add(turn);
                turn.workHere();
            });
            while (over.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> turns.working() == 2);
        enter(turns, "next", 2);
        turns.reclaim();
        assertThat(turns.working()).as("within the lease").isEqualTo(2);
        assertThat(turns.waiting()).isEqualTo(2);
        now.addAndGet(LEASE.toNanos());
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> {
            turns.reclaim();
            return turns.waiting() == 1;
        });
        turns.reclaim();
        assertThat(turns.waiting()).as("the other works").isEqualTo(1);
        over.countDown();
        worker.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
