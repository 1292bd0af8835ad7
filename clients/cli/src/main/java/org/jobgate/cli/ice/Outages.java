// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which computing elements cannot be reached at present, or refuse what an owner needs there, and when they are asked again: after 1 s, then
 * 2, 4, ... up to a minute. What is known of each besides is kept here too.
 *
 * <p>One that does not answer may keep a thread waiting for a minute. So one that has not answered last is tried by one thread that submits,
 * and all such together by half of them: the others are left for those that answer.
 */
final class Outages implements JobQueue.Openings {

    private static final long FIRST_MS = 1_000;
    private static final long LONGEST_MS = 60_000;
    private static final long KNOWN_MS = 600_000;
    private static final long GROWS_MS = 600_000;
    private static final long TRIAL_MIN_MS = 100;
    private static final long TRIAL_MAX_MS = 5_000;

    private final Clock clock;
    private final int bulk;
    private final int trialsMost;
    private final Map<Thread, Element> trials = new HashMap<>();
    private final Map<String, Element> elements = new ConcurrentHashMap<>();
    private final Map<Customer, Dealing> dealings = new ConcurrentHashMap<>();

    /**
     * @param bulk jobs in one request
     * @param threads that submit
     */
    Outages(Clock clock, int bulk, int threads) {
        this.clock = requireNonNull(clock, "clock is null");
        this.bulk = bulk;
        this.trialsMost = Math.max(1, threads / 2);
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
        /** The smallest request that was refused for its size, as far as is known, and until when that is believed. */
        private int tooLarge = Integer.MAX_VALUE;

        private long tooLargeUntil;
    }

    private static final class Element {
        private final Pause pause = new Pause();
        private boolean answersNow;
        private @Nullable Thread triedBy;
        private long triedSince;
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

    /** When this thread may ask it for new jobs of this owner; 0 for now. */
    @Override
    public long opens(String owner, String endpoint) {
        long pause = Math.max(opens(endpoint), of(endpoint, owner).pause.opens(clock.millis()));
        return pause > 0 ? pause : trialEnds(of(endpoint));
    }

    private synchronized long trialEnds(Element element) {
        boolean isFree = element.answersNow
                || element.triedBy == Thread.currentThread()
                || (element.triedBy == null && trials.size() < trialsMost);
        if (isFree) {
            return 0;
        }
        long now = clock.millis();
        long lasts = element.triedBy == null ? TRIAL_MIN_MS : now - element.triedSince;
        return now + Math.clamp(lasts, TRIAL_MIN_MS, TRIAL_MAX_MS);
    }

    /** This thread takes jobs for it. {@link #left} is to follow. */
    @Override
    public void taken(String endpoint) {
        Element element = of(endpoint);
        synchronized (this) {
            if (!element.answersNow && element.triedBy == null) {
                element.triedBy = Thread.currentThread();
                element.triedSince = clock.millis();
                trials.put(Thread.currentThread(), element);
            }
        }
    }

    /** This thread is through with the jobs that it had taken, whatever came of them. */
    synchronized void left() {
        Element element = trials.remove(Thread.currentThread());
        if (element != null) {
            element.triedBy = null;
        }
    }

    private synchronized void answers(Element element, boolean isSo) {
        element.answersNow = isSo;
    }

    /** Nobody reaches it. Answers when it is to be asked again. */
    long failed(String endpoint) {
        Element element = of(endpoint);
        answers(element, false);
        return element.pause.failed(clock.millis());
    }

    /** It answers, but not to this owner: others go on. Answers when it is to be asked again for them. */
    long failed(String endpoint, String owner) {
        answered(endpoint);
        return of(endpoint, owner).pause.failed(clock.millis());
    }

    /** It answers, whatever it answered. */
    void answered(String endpoint) {
        Element element = of(endpoint);
        answers(element, true);
        element.pause.end();
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
            dealing.tooLarge = Math.min(dealing.tooLarge, jobs);
            dealing.tooLargeUntil = clock.millis() + GROWS_MS;
            return jobs > 1;
        }
    }

    /** It refused a request of one job of this owner: that may have been the reason, too, why larger ones were refused. */
    void refusedAlone(String endpoint, String owner) {
        Dealing dealing = of(endpoint, owner);
        synchronized (dealing) {
            dealing.tooLarge = Integer.MAX_VALUE;
        }
    }

    /**
     * It took a request of so many jobs of this owner: twice as many are tried next, but for ten minutes none of a size that it has
     * refused.
     */
    void grown(String endpoint, String owner, int jobs) {
        Dealing dealing = of(endpoint, owner);
        synchronized (dealing) {
            if (dealing.tooLargeUntil <= clock.millis()) {
                dealing.tooLarge = Integer.MAX_VALUE;
            }
            if (jobs >= dealing.most) {
                int wanted = Math.min(Math.min(bulk, 2 * dealing.most), dealing.tooLarge - 1);
                dealing.most = Math.max(dealing.most, wanted);
            }
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
