// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Duration;

/**
 * Decides whether a transaction waits a moment for the writes of requests that are worked on now, so that one forced write serves them all.
 * A transaction costs nearly the same processor time for one write as for several. Where nobody else is at work there is no wait, and after
 * several waits that brought nothing (the others only read) there is none for a while. Used by the writer's thread only.
 */
final class Gathering {

    /** About what a transaction takes by itself, so that a client hardly notices the wait. */
    static final Duration MOST = Duration.ofMillis(1);

    /** After so many waits in a row that brought nothing, there is none for a while. */
    static final int MOST_VAIN = 3;

    /** For so many transactions there is no wait then. */
    static final int LEFT_ALONE = 50;

    private final Wait wait;
    private int vain;
    private int leftAlone;

    Gathering(Wait wait) {
        this.wait = wait;
    }

    /** Waits for further writes. */
    @FunctionalInterface
    interface Wait {
        /**
         * Waits until so many have come, at most {@link #MOST}.
         *
         * @return how many have
         */
        int forMore(int expected);
    }

    /**
     * Waits for further writes where that may bring some.
     *
     * @param working how many requests are worked on
     * @param room how many more the transaction may have
     */
    void gather(int working, int room) {
        int more = Math.min(working, room);
        if (more < 1) {
            return;
        }
        if (leftAlone > 0) {
            leftAlone--;
            return;
        }
        if (wait.forMore(more) > 0) {
            vain = 0;
        } else if (++vain == MOST_VAIN) {
            vain = 0;
            leftAlone = LEFT_ALONE;
        }
    }
}
