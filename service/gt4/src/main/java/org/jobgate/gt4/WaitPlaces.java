// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import javax.xml.namespace.QName;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.Limit;
import org.w3c.dom.Element;

/**
 * Our extension of reading properties: a request with the header {@link #HEADER} is answered when what it asks for is no longer as the
 * client saw it, or its time is over. All doors share the places; who finds none is answered at once, and polls.
 */
public final class WaitPlaces {

    /** {@code timeoutMs} in milliseconds, {@code state} as the client saw it, and what else a service compares. */
    public static final QName HEADER = new QName("https://jobgate.org/ns/2026/wait", "Wait", "wait");

    private final Duration longest;
    private final int most;
    private final Semaphore free;
    private final Interlude interlude;

    /**
     * All free.
     *
     * @param requests how many requests may wait at the same time
     * @param longest no request waits longer
     * @param interlude is called at the beginning and the end of each wait
     * @throws IllegalArgumentException if the longest wait is negative
     */
    public WaitPlaces(Limit requests, Duration longest, Interlude interlude) {
        this.interlude = requireNonNull(interlude, "interlude is null");
        this.longest = requireNonNull(longest, "longest is null");
        this.most = (int) Math.min(requests.value(), Integer.MAX_VALUE);
        this.free = new Semaphore(most);
        if (longest.isNegative()) {
            throw new IllegalArgumentException("the longest wait is negative: " + longest);
        }
    }

    /** Takes a place, if one is free: {@link #leave} gives it back. */
    public boolean enter() {
        if (!free.tryAcquire()) {
            return false;
        }
        interlude.begins();
        return true;
    }

    /** Gives the place back. */
    public void leave() {
        free.release();
        interlude.ends();
    }

    /** How many requests wait. */
    public int taken() {
        return most - free.availablePermits();
    }

    /** How long the header asks to wait, within what may be; the longest where it does not say it in whole milliseconds. */
    public Duration time(Element header) {
        try {
            long millis = Long.parseLong(header.getAttribute("timeoutMs").strip());
            Duration asked = Duration.ofMillis(Math.max(0, millis));
            return asked.compareTo(longest) <= 0 ? asked : longest;
        } catch (NumberFormatException e) {
            return longest;
        }
    }
}
