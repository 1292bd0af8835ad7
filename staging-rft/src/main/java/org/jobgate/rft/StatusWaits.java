// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.soap.SoapCall;
import org.w3c.dom.Element;

/**
 * Those who wait until the status of a request is no longer the one that they saw. They are woken when the status changes, not by each
 * file: a request has thousands of these.
 */
final class StatusWaits {

    private final WaitPlaces places;
    private final Map<String, Set<Semaphore>> waiting = new ConcurrentHashMap<>();
    private volatile boolean isEnded;

    StatusWaits(WaitPlaces places) {
        this.places = requireNonNull(places, "places is null");
    }

    /** The status of the request has changed, or it is no longer there. Returns at once. */
    void changed(String request) {
        waiting.getOrDefault(request, Set.of()).forEach(Semaphore::release);
    }

    /**
     * The request as it is, after waiting as long as the call asks for.
     *
     * @param reading reads how the request stands, and throws where it is not there any more
     */
    RftRequests.Present await(SoapCall call, Supplier<RftRequests.Present> reading) {
        RftRequests.Present present = reading.get();
        Element header = call.header(WaitPlaces.HEADER).orElse(null);
        if (header == null || !isAsSeen(present, header) || !places.enter()) {
            return present;
        }
        try {
            return await(present.key(), now -> isAsSeen(now, header), places.time(header), reading);
        } finally {
            places.leave();
        }
    }

    /**
     * What is read of the request when it is no longer as it was seen, or the time is over; at once where {@link #end} was called. How many may
     * wait at once is the caller's to bound.
     *
     * @param reading reads how the request stands; it is read anew whenever its status changes
     */
    <T> T await(String key, Predicate<T> isAsSeen, Duration time, Supplier<T> reading) {
        Semaphore news = new Semaphore(0);
        waiting.compute(key, (same, others) -> {
            Set<Semaphore> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(news);
            return all;
        });
        try {
            return awaitNews(news, time, isAsSeen, reading);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return reading.get();
        } finally {
            waiting.computeIfPresent(key, (same, all) -> {
                all.remove(news);
                return all.isEmpty() ? null : all;
            });
        }
    }

    private <T> T awaitNews(Semaphore news, Duration time, Predicate<T> isAsSeen, Supplier<T> reading)
            throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        T present = reading.get(); // it may have changed before we were among those who are woken
        while (isAsSeen.test(present) && !isEnded && news.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            news.drainPermits();
            present = reading.get();
        }
        return isAsSeen.test(present) ? reading.get() : present; // with the counts of now
    }

    /** A client that saw nothing is not made to wait. */
    private static boolean isAsSeen(RftRequests.Present present, Element header) {
        return header.getAttribute("state").strip().equals(present.status().word());
    }

    /** Answers all who wait; from now on a wait ends at once. */
    void end() {
        isEnded = true;
        waiting.values().forEach(all -> all.forEach(Semaphore::release));
    }
}
