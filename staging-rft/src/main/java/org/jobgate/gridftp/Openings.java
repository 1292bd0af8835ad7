// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When one more session to a server is worth its opening, for one credential. The first is opened at once. A further one costs its server
 * a key and both ends a handshake, as much as a hundred small files; so leases wait for those that are in use, and one is opened
 *
 * <ul>
 *   <li>for a lease that has waited as long as an opening takes: what is in use is in use for long;
 *   <li>or when leases have waited, one after another, for as many times that long as there are sessions: more of them would be faster.
 * </ul>
 *
 * <p>Two are opened at a time. All times are {@link System#nanoTime}'s. Not for several threads: the lock of {@link LeaseQueue} guards it.
 */
final class Openings {

    private static final int AT_ONCE = 2;
    /** What an opening takes until one has been seen: some 0.2 s at a server at rest that makes an RSA key of 2048 bits. */
    private static final long FIRST_GUESS = Duration.ofMillis(250).toNanos();

    private static final long LEAST = Duration.ofMillis(50).toNanos();
    private static final long MOST = Duration.ofSeconds(3).toNanos();

    private int opening;
    private int out;
    private int waiting;
    private long opened;
    private boolean isOpened;
    private long ended;
    private long takes = FIRST_GUESS;
    private long waited;
    private long waitingSince;

    /** @param now when the first lease came */
    Openings(long now) {
        this.ended = now;
    }

    /** Whether there is no session, and none is opened or waited for: then it need not be remembered. */
    boolean isOver() {
        return out == 0 && waiting == 0;
    }

    /** A session is lent that was idle: so there is a first one. */
    void lent(long now) {
        out++;
        there(now);
    }

    private void there(long now) {
        if (!isOpened) {
            isOpened = true;
            opened = now;
        }
    }

    /** A session came back, or was closed, or was not opened. */
    void back() {
        out--;
    }

    /** One is being opened. */
    void begun() {
        opening++;
        out++;
    }

    /** @param took null if it failed */
    void ended(@Nullable Duration took, long now) {
        opening--;
        waited = 0;
        waitingSince = now;
        ended = now;
        if (took != null) {
            takes = Math.clamp(took.toNanos(), LEAST, MOST);
            there(now);
        }
    }

    /** How long a lease that came then has waited without any opening coming to its end. */
    long sinceLastEnd(long begun, long now) {
        return now - later(begun, ended);
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** A lease begins to wait. */
    void waits(long now) {
        if (waiting++ == 0) {
            waitingSince = now;
        }
    }

    /** It has what it waited for, or waits no more. */
    void waitsNoMore(long now) {
        if (--waiting == 0) {
            waited += now - waitingSince;
        }
    }

    /** Whether one may be opened as far as the others that are being opened are concerned. */
    boolean hasTurn() {
        return opening < AT_ONCE;
    }

    /**
     * How long until a lease may have one opened, if nothing changes; not above 0: now. Those that come while the first is being opened
     * wait for that, and count from when it was.
     *
     * @param begun when it came
     */
    long dueIn(long begun, long now) {
        if (out == 0) {
            return 0;
        }
        boolean isFirstOnItsWay = !isOpened && opening > 0;
        if (isFirstOnItsWay || !hasTurn()) {
            return Long.MAX_VALUE;
        }
        long since = isOpened ? later(begun, opened) : begun;
        long together = waited + (waiting > 0 ? now - waitingSince : 0);
        return Math.min(takes - (now - since), out * takes - together);
    }
}
