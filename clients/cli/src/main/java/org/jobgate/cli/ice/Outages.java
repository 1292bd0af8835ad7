// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which computing elements cannot be reached at present, and when they are asked again: after 1 s, then 2, 4, ... up to a minute. What is
 * known of each besides is kept here too.
 */
final class Outages {

    private static final long FIRST_MS = 1_000;
    private static final long LONGEST_MS = 60_000;
    private static final long KNOWN_MS = 600_000;

    private final Clock clock;
    private final int bulk;
    private final Map<String, Element> elements = new ConcurrentHashMap<>();

    /** @param bulk jobs in one request */
    Outages(Clock clock, int bulk) {
        this.clock = requireNonNull(clock, "clock is null");
        this.bulk = bulk;
    }

    private final class Element {
        private int failures;
        private long opens;
        private int most = bulk;
        private boolean isRepeatable;
        private long known;
    }

    /** A question that may fail. */
    @FunctionalInterface
    interface Question<E extends Exception> {
        boolean answer() throws E;
    }

    private Element of(String endpoint) {
        return elements.computeIfAbsent(endpoint, name -> new Element());
    }

    /** When it may be asked; 0 for now. */
    long opens(String endpoint) {
        Element element = of(endpoint);
        synchronized (element) {
            return element.opens <= clock.millis() ? 0 : element.opens;
        }
    }

    /** Answers when it is to be asked again. */
    long failed(String endpoint) {
        Element element = of(endpoint);
        synchronized (element) {
            if (element.opens <= clock.millis()) {
                long pause = Math.min(FIRST_MS << Math.min(element.failures, 16), LONGEST_MS);
                element.failures++;
                element.opens = clock.millis() + pause;
            }
            return element.opens;
        }
    }

    void answered(String endpoint) {
        Element element = of(endpoint);
        synchronized (element) {
            element.failures = 0;
            element.opens = 0;
        }
    }

    /** Jobs that one request to it may have. */
    int most(String endpoint) {
        Element element = of(endpoint);
        synchronized (element) {
            return element.most;
        }
    }

    /** It refused a request of so many jobs; answers whether smaller ones are worth trying. */
    boolean halved(String endpoint, int jobs) {
        Element element = of(endpoint);
        synchronized (element) {
            element.most = Math.min(element.most, Math.max(1, jobs / 2));
            return jobs > 1;
        }
    }

    /** Whether it knows a registration that comes again; asked at most every 10 minutes. */
    <E extends Exception> boolean isRepeatable(String endpoint, Question<E> question) throws E {
        Element element = of(endpoint);
        synchronized (element) {
            if (element.known + KNOWN_MS > clock.millis()) {
                return element.isRepeatable;
            }
        }
        boolean answer = question.answer();
        synchronized (element) {
            element.isRepeatable = answer;
            element.known = clock.millis();
        }
        return answer;
    }
}
