// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * When requests leave. Shared by all connections of a run.
 *
 * <p>Closed loop: each connection sends when its reply has come, which measures what the service can do. Open loop: requests are due at
 * a fixed rate whatever the service does, and each counts from when it was due, so that a service that stalls cannot hide the requests
 * which it kept from being sent (coordinated omission).
 */
final class Pace {

    private final long begin;
    private final long durationNanos;
    private final long most;
    private final double nanosBetween;
    private final AtomicLong taken = new AtomicLong();
    private volatile boolean isEnded;
    private volatile long endedAt;

    private Pace(Duration duration, long most, double nanosBetween) {
        this.begin = System.nanoTime();
        this.durationNanos = duration.toNanos();
        this.most = most;
        this.nanosBetween = nanosBetween;
    }

    /** As fast as replies come, from now, for this long, and at most so many requests. */
    static Pace closedLoop(Duration duration, long most) {
        return new Pace(duration, most, 0);
    }

    /** At this rate from now. */
    static Pace openLoop(Duration duration, long most, double perSecond) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("rate is " + perSecond + "; it must be more than 0 requests per second");
        }
        return new Pace(duration, most, 1e9 / perSecond);
    }

    /** Waits for the next request's turn and answers when it was due ({@link System#nanoTime}); empty when the run is over. */
    OptionalLong next() {
        long place = taken.getAndIncrement();
        if (place >= most || isEnded) {
            return OptionalLong.empty();
        }
        if (nanosBetween == 0) {
            long now = System.nanoTime();
            return now - begin < durationNanos ? OptionalLong.of(now) : OptionalLong.empty();
        }
        long offset = (long) (place * nanosBetween);
        if (offset >= durationNanos) {
            return OptionalLong.empty();
        }
        for (long left = begin + offset - System.nanoTime(); left > 0; left = begin + offset - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return isEnded ? OptionalLong.empty() : OptionalLong.of(begin + offset);
    }

    /** Lets no further request leave; those that wait for their time find the run over. */
    void end() {
        endedAt = System.nanoTime();
        isEnded = true;
    }

    /** Whether no further request leaves. */
    boolean isOver() {
        return isEnded || System.nanoTime() - begin >= durationNanos;
    }

    /** For how long requests have left. */
    double seconds() {
        long nanos = (isEnded ? endedAt : System.nanoTime()) - begin;
        return Math.min(nanos, durationNanos) / 1e9;
    }

    long begin() {
        return begin;
    }
}
