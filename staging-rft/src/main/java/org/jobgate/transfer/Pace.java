// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;

/**
 * Whether an attempt moves what it must. Bytes count, not how often some come: a server that sends one now and then is as good as a silent
 * one. Guarded by itself.
 */
final class Pace {

    /** What a step of work without bytes counts as: an entry of a directory, a file that was deleted. */
    static final long STEP = 4096;

    private final long patienceNanos;
    private final long leastInWindow;
    private long begunNanos;
    private long movedNanos;
    private long windowNanos;
    private long inWindow;
    private long all;
    private boolean isFed;

    /**
     * A pace that nothing is known of.
     *
     * @param patience how long nothing may be moved, and over how long the rate is measured
     * @param leastRate bytes in each second; 0 for none
     */
    Pace(Duration patience, long leastRate) {
        this.patienceNanos = patience.toNanos();
        this.leastInWindow = Math.round(leastRate * (patienceNanos / 1e9));
    }

    synchronized void begin(long nowNanos) {
        begunNanos = nowNanos;
        movedNanos = nowNanos;
        inWindow = 0;
        all = 0;
        isFed = false;
    }

    /** Bytes have arrived. Where it is told what comes, that is the pace: a piece may wait until it is whole. */
    synchronized void moved(long bytes, long nowNanos) {
        if (isFed) {
            movedNanos = nowNanos;
        } else {
            count(bytes, nowNanos);
        }
    }

    /** Bytes have been read. */
    synchronized void came(long bytes, long nowNanos) {
        isFed = true;
        count(bytes, nowNanos);
    }

    private void count(long bytes, long nowNanos) {
        if (bytes <= 0) {
            return;
        }
        // what a server needs before its first byte is not held against it, but for the patience
        if (inWindow == 0) {
            windowNanos = nowNanos;
        }
        inWindow += bytes;
        all += bytes;
        movedNanos = nowNanos;
    }

    /** Bytes in each second since it began. */
    synchronized double rate(long nowNanos) {
        return all * 1e9 / Math.max(1, nowNanos - begunNanos);
    }

    synchronized boolean isSilent(long nowNanos) {
        return nowNanos - movedNanos > patienceNanos;
    }

    /** Whether too little came in the last window that is over. */
    synchronized boolean isTooSlow(long nowNanos) {
        if (inWindow == 0 || nowNanos - windowNanos < patienceNanos) {
            return false;
        }
        boolean isLess = inWindow < leastInWindow;
        inWindow = 0;
        return isLess;
    }
}
