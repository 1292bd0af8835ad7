// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Duration;

/** How long one may still wait. Runs from the start, or anew from each sign of life. For any number of threads. */
final class Patience {

    private Duration limit;
    private long since = System.nanoTime();

    Patience(Duration limit) {
        this.limit = limit;
    }

    /** A sign of life. */
    synchronized void renew() {
        since = System.nanoTime();
    }

    /** A sign of life, after which the next is due within another time. */
    synchronized void renew(Duration next) {
        limit = next;
        since = System.nanoTime();
    }

    /** Milliseconds, at least 0. */
    synchronized long left() {
        return Math.max(0, limit.toMillis() - (System.nanoTime() - since) / 1_000_000);
    }

    synchronized Duration limit() {
        return limit;
    }
}
