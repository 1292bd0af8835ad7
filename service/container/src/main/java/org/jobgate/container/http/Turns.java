// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A number of places, and the order in which they are given. Owners take turns; requests of one owner are served in the order in which they
 * came. So an owner with one request waits for one place, however many requests another owner has.
 *
 * <p>Where places are kept free, an owner gets no more of them than are free: a single owner has half, and a second owner finds the other half
 * free, and gets a place at once.
 *
 * <p>A place is for work. A thread that waits for something else meanwhile (a disk, a program, a client that reads slowly) gives it back, by
 * {@link Turn#pause}, or is found waiting by {@link #reclaim}: else a few who only wait would keep all others from working.
 *
 * <p>What it begins is begun outside of its lock, by the thread that made the place free.
 */
final class Turns {

    private final int places;
    private final boolean keeps;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those with somebody who waits; the next one's turn is first. */
    private final Map<String, Queue> queues = new LinkedHashMap<>();

    private final Map<String, Integer> held = new HashMap<>();

    /** The turns that have a place, the oldest first. */
    private final SequencedSet<Turn> working = new LinkedHashSet<>();

    private int waiting;

    private volatile Runnable whenSomebodyWaits = () -> {};

    /**
     * All places free.
     *
     * @param places how many, at least 1
     * @param keeps whether an owner gets no more places than are free
     * @param lease after this, who waits for something else loses the place when others wait for it
     */
    Turns(int places, boolean keeps, Duration lease, LongSupplier nanoTime) {
        if (places < 1) {
            throw new IllegalArgumentException("places is " + places + "; there must be one at least");
        }
        this.places = places;
        this.keeps = keeps;
        this.lease = requireNonNull(lease, "lease is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    /** @param told runs whenever something has changed and somebody waits, outside of the lock and by whichever thread made the change; it must return at once */
    void whenSomebodyWaits(Runnable told) {
        whenSomebodyWaits = requireNonNull(told, "told is null");
    }

    /** What waits of one owner. */
    private static final class Queue {
        /**
         * So many that have been read go first, for they hold memory; then one that has not: those who follow the owner's changes come back
         * with each change, and would else keep the owner's own new requests waiting for ever.
         */
        private static final int BEGUN_IN_A_ROW = 4;

        private int inARow;
        /** Has been read and holds its memory until it is done. */
        private final SequencedSet<Turn> begun = new LinkedHashSet<>();
        /** Its bytes are still with the system. */
        private final SequencedSet<Turn> unread = new LinkedHashSet<>();

        private SequencedSet<Turn> of(Turn turn) {
            return turn.isBegun ? begun : unread;
        }

        private Turn takeFirst() {
            if (begun.isEmpty() || (inARow >= BEGUN_IN_A_ROW && !unread.isEmpty())) {
                inARow = 0;
                return unread.removeFirst();
            }
            inARow++;
            return begun.removeFirst();
        }

        private boolean isEmpty() {
            return begun.isEmpty() && unread.isEmpty();
        }
    }

    private enum State {
        WAITING,
        WORKING,
        /** It is not over, and has no place. */
        PAUSED,
        OVER
    }

    /** One place, from the wish for it until it is given back. */
    final class Turn {
        private final String owner;
        private boolean isBegun;
        private Consumer<Turn> begin;
        private State state = State.WAITING;
        private long since;
        private volatile @Nullable Thread worker;

        private Turn(String owner, boolean isBegun, Consumer<Turn> begin) {
            this.owner = owner;
            this.isBegun = isBegun;
            this.begin = begin;
        }

        String owner() {
            return owner;
        }

        /** The current thread does the work; it is looked at to see whether it waits. */
        void workHere() {
            worker = Thread.currentThread();
        }

        /**
         * Wants no place any more, if it has none yet and has not been read. A thread that waits for it ({@link Turns#await}, {@link
         * Turns#resume}) would wait for ever: it gets its place, and gives it back.
         */
        void cancel() {
            changed(() -> {
                if (state == State.WAITING && !isBegun) {
                    leave(this);
                    state = State.OVER;
                }
            });
        }

        /** Gives the place back, or wants it no more. Nothing happens if it was given back before. */
        void end() {
            changed(() -> {
                leave(this);
                state = State.OVER;
            });
        }

        /** Gives the place back for a while. */
        void pause() {
            changed(() -> {
                if (state == State.WORKING) {
                    leave(this);
                    state = State.PAUSED;
                }
            });
        }
    }

    /**
     * Wants a place for something that has not been read yet.
     *
     * @param begin is given the place, once: before this returns, or later by another thread; it must return at once, and the thread that works
     *     in the place ends it
     */
    Turn enter(String owner, Consumer<Turn> begin) {
        Turn turn = new Turn(requireNonNull(owner, "owner is null"), false, requireNonNull(begin, "begin is null"));
        changed(() -> join(turn));
        return turn;
    }

    /**
     * Waits for a place, before most of this owner's that has not been read yet.
     *
     * @param most so many of this owner may wait like this
     * @return the place; null if more wait already
     */
    @Nullable
    Turn await(String owner, int most) throws InterruptedException {
        Begun begun = new Begun();
        Turn turn = new Turn(requireNonNull(owner, "owner is null"), true, begun);
        turn.workHere();
        boolean[] joined = new boolean[1];
        changed(() -> {
            Queue queue = queues.get(owner);
            if (queue == null || queue.begun.size() < most) {
                join(turn);
                joined[0] = true;
            }
        });
        if (!joined[0]) {
            return null;
        }
        begun.await(turn);
        return turn;
    }

    /** Waits for a place again after {@link Turn#pause}, or after it was found waiting. Nothing happens if it has one. */
    void resume(Turn turn) throws InterruptedException {
        Begun begun = new Begun();
        resume(turn, begun);
        begun.await(turn);
    }

    /**
     * Gives the place back until the stage is complete, and waits for one again. The thread is woken once, when it has its place: where many stages
     * are completed together, only as many threads run as there are places.
     */
    void pauseUntil(Turn turn, CompletionStage<?> awaited) throws InterruptedException {
        Begun begun = new Begun();
        turn.pause();
        var unused = awaited.whenComplete((result, failure) -> resume(turn, begun));
        begun.await(turn);
    }

    /** Wants a place again; who has one, or wants none any more, is told at once. */
    private void resume(Turn turn, Begun begun) {
        boolean[] joined = new boolean[1];
        changed(() -> {
            if (turn.state == State.PAUSED) {
                turn.begin = begun;
                turn.isBegun = true;
                turn.state = State.WAITING;
                join(turn);
                joined[0] = true;
            }
        });
        if (!joined[0]) {
            begun.accept(turn);
        }
    }

    /** Lets a thread wait. */
    private static final class Begun implements Consumer<Turn> {
        private final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public void accept(Turn turn) {
            latch.countDown();
        }

        void await(Turn turn) throws InterruptedException {
            try {
                latch.await();
            } catch (InterruptedException e) {
                turn.end();
                throw e;
            }
        }
    }

    /** Takes the places of those that have had them for longer than the lease and whose threads wait for something else. */
    void reclaim() {
        changed(() -> {
            long now = nanoTime.getAsLong();
            for (Turn turn : List.copyOf(working)) {
                if (waiting == 0 || now - turn.since < lease.toNanos()) {
                    // they stand in the order in which they got their places
                    return;
                }
                if (isIdle(turn.worker)) {
                    leave(turn);
                    turn.state = State.PAUSED;
                }
            }
        });
    }

    private static boolean isIdle(@Nullable Thread worker) {
        return worker != null
                && switch (worker.getState()) {
                    case WAITING, TIMED_WAITING, BLOCKED, TERMINATED -> true;
                    case NEW, RUNNABLE -> false;
                };
    }

    /** How many places there are. */
    int places() {
        return places;
    }

    /** How many wait for a place. */
    int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** How many have a place. */
    int working() {
        lock.lock();
        try {
            return working.size();
        } finally {
            lock.unlock();
        }
    }

    private void changed(Runnable change) {
        List<Turn> begun = new ArrayList<>();
        boolean somebodyWaits;
        lock.lock();
        try {
            change.run();
            fill(begun);
            somebodyWaits = waiting > 0;
        } finally {
            lock.unlock();
        }
        begun.forEach(turn -> turn.begin.accept(turn));
        if (somebodyWaits) {
            whenSomebodyWaits.run();
        }
    }

    private void join(Turn turn) {
        queues.computeIfAbsent(turn.owner, owner -> new Queue()).of(turn).add(turn);
        waiting++;
    }

    private void leave(Turn turn) {
        if (turn.state == State.WAITING) {
            Queue queue = queues.get(turn.owner);
            if (queue != null && queue.of(turn).remove(turn)) {
                waiting--;
                if (queue.isEmpty()) {
                    queues.remove(turn.owner);
                }
            }
        } else if (working.remove(turn)) {
            held.merge(turn.owner, -1, (before, less) -> before + less == 0 ? null : before + less);
        }
    }

    private void fill(List<Turn> begun) {
        while (working.size() < places) {
            Turn next = next();
            if (next == null) {
                return;
            }
            waiting--;
            next.state = State.WORKING;
            next.since = nanoTime.getAsLong();
            working.add(next);
            held.merge(next.owner, 1, Integer::sum);
            begun.add(next);
        }
    }

    /** Those who may have no more are passed over; they are no more than there are places. */
    private @Nullable Turn next() {
        int free = places - working.size();
        for (Iterator<Map.Entry<String, Queue>> all = queues.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Queue> entry = all.next();
            String owner = entry.getKey();
            if (keeps && held.getOrDefault(owner, 0) >= free) {
                continue;
            }
            Queue queue = entry.getValue();
            all.remove();
            Turn turn = queue.takeFirst();
            if (!queue.isEmpty()) {
                queues.put(owner, queue);
            }
            return turn;
        }
        return null;
    }
}
