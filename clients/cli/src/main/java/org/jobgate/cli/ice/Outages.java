// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which computing elements cannot be reached at present, or refuse what an owner needs there, and when they are asked again: after 1 s, then
 * 2, 4, ... up to a minute. What is known of each besides is kept here too.
 */
final class Outages {

    private static final long FIRST_MS = 1_000;
    private static final long LONGEST_MS = 60_000;
    private static final long KNOWN_MS = 600_000;

    private final Clock clock;
    private final int bulk;
    private final Map<String, Element> elements = new ConcurrentHashMap<>();
    private final Map<Customer, Dealing> dealings = new ConcurrentHashMap<>();

    /** @param bulk jobs in one request */
    Outages(Clock clock, int bulk) {
        this.clock = requireNonNull(clock, "clock is null");
        this.bulk = bulk;
    }

    /** How long something is left alone that has failed so often. */
    private static final class Pause {
        private int failures;
        private long opens;

        private synchronized long opens(long now) {
            return opens <= now ? 0 : opens;
        }

        private synchronized long failed(long now) {
            if (opens <= now) {
                opens = now + Math.min(FIRST_MS << Math.min(failures, 16), LONGEST_MS);
                failures++;
            }
            return opens;
        }

        private synchronized void end() {
            failures = 0;
            opens = 0;
        }
    }

    private record Customer(String endpoint, String owner) {}

    /** What one owner has to do with one computing element: nothing of it is about another owner. */
    private final class Dealing {
        private final Pause pause = new Pause();
        private int most = bulk;
    }

    private static final class Element {
        private final Pause pause = new Pause();
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

    private Dealing of(String endpoint, String owner) {
        return dealings.computeIfAbsent(new Customer(endpoint, owner), name -> new Dealing());
    }

    /** When it may be asked; 0 for now. */
    long opens(String endpoint) {
        return of(endpoint).pause.opens(clock.millis());
    }

    /** When it may be asked for new jobs of this owner; 0 for now. */
    long opens(String owner, String endpoint) {
        return Math.max(opens(endpoint), of(endpoint, owner).pause.opens(clock.millis()));
    }

    /** Answers when it is to be asked again. */
    long failed(String endpoint) {
        return of(endpoint).pause.failed(clock.millis());
    }

    /** It answers, but not to this owner: others go on. Answers when it is to be asked again for them. */
    long failed(String endpoint, String owner) {
        return of(endpoint, owner).pause.failed(clock.millis());
    }

    void answered(String endpoint) {
        of(endpoint).pause.end();
    }

    /** It did what this owner needed there. */
    void answered(String endpoint, String owner) {
        answered(endpoint);
        of(endpoint, owner).pause.end();
    }

    /** Jobs of this owner that one request to it may have. */
    int most(String endpoint, String owner) {
        Dealing dealing = of(endpoint, owner);
        synchronized (dealing) {
            return dealing.most;
        }
    }

    /** It refused a request of so many jobs of this owner; answers whether smaller ones are worth trying. */
    boolean halved(String endpoint, String owner, int jobs) {
        Dealing dealing = of(endpoint, owner);
        synchronized (dealing) {
            dealing.most = Math.min(dealing.most, Math.max(1, jobs / 2));
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
