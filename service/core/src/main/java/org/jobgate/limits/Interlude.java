// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.limits;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Told by a thread that it only waits for something else (a disk, a change), and that it does so no longer. So whoever gave it one of few
 * places to work in can let others work there meanwhile.
 */
public interface Interlude {

    /** The current thread begins to wait. Returns at once. */
    void begins();

    /** It goes on; this may take a while, as others may be working meanwhile. */
    void ends();

    /**
     * How many threads work in places now, so that further writes may come soon. Answers at once; the number may have changed since.
     *
     * @return 0 where it is not known
     */
    default int working() {
        return 0;
    }

    /**
     * Waits until the stage is complete and the thread may go on. An interlude that gives places wakes the thread once, when both are so; woken
     * by the stage first, most threads would only go to sleep again until there is a place. Where the thread is interrupted, or has no place
     * that others could want, this returns early: the caller waits for the stage by itself then.
     */
    default void untilDone(CompletionStage<?> awaited) {
        CountDownLatch done = new CountDownLatch(1);
        var unused = awaited.whenComplete((result, failure) -> done.countDown());
        begins();
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ends();
        }
    }

    /**
     * Waits for the latch, at most for the time, and says so to the interlude meanwhile.
     *
     * @throws InterruptedException if the thread was interrupted; the interlude is over then too
     */
    static void await(Interlude interlude, CountDownLatch latch, Duration timeout) throws InterruptedException {
        interlude.begins();
        try {
            boolean unused = latch.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            interlude.ends();
        }
    }

    /** For threads that have no place that others could want. */
    static Interlude none() {
        return new Interlude() {
            @Override
            public void begins() {}

            @Override
            public void ends() {}

            @Override
            public void untilDone(CompletionStage<?> awaited) {}
        };
    }
}
