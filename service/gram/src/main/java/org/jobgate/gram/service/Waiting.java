// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.job.Job;
import org.jobgate.lifecycle.Jobs;
import org.w3c.dom.Element;

/**
 * Our extension of reading properties: a request with a {@code Wait} header is answered when the job is no longer as the client saw
 * it, or the time is over. A request over the limit of waiting ones is answered at once: its client then polls.
 */
final class Waiting {

    static final QName HEADER = new QName("https://jobgate.org/ns/2026/wait", "Wait", "wait");

    private final Jobs jobs;
    private final Clock clock;
    private final Duration longest;
    private final Semaphore places;

    Waiting(Jobs jobs, WaitLimits limits, Clock clock) {
        this.jobs = jobs;
        this.clock = clock;
        this.longest = limits.longest();
        this.places = new Semaphore((int) Math.min(limits.requests().value(), Integer.MAX_VALUE));
    }

    /** The job as it is, after waiting as long as the request asks for. */
    Optional<Job> job(SoapCall call, Callers.NamedJob named) {
        Optional<Job> job = jobs.find(named.subject(), named.id());
        Optional<Element> header = call.header(HEADER);
        if (header.isEmpty()
                || job.isEmpty()
                || !isAsSeen(job.get(), call.generation(), header.get())
                || !places.tryAcquire()) {
            return job;
        }
        try {
            return await(named, job.get(), call.generation(), header.get());
        } finally {
            places.release();
        }
    }

    private Optional<Job> await(Callers.NamedJob named, Job first, Generation generation, Element header) {
        Instant end = clock.instant().plus(timeout(header));
        Optional<Job> job = Optional.of(first);
        while (job.isPresent() && isAsSeen(job.get(), generation, header)) {
            Duration left = Duration.between(clock.instant(), end);
            if (left.isNegative() || left.isZero()) {
                return job;
            }
            job = jobs.awaitChange(named.subject(), named.id(), job.get().version(), left);
        }
        return job;
    }

    private Duration timeout(Element header) {
        try {
            long millis = Long.parseLong(header.getAttribute("timeoutMs").strip());
            return millis < 0 ? Duration.ZERO : min(Duration.ofMillis(millis), longest);
        } catch (NumberFormatException e) {
            return longest;
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Whether the job is still as the header says that the client saw it; a client that saw nothing is not made to wait. */
    private static boolean isAsSeen(Job job, Generation generation, Element header) {
        String state = header.getAttribute("state").strip();
        String holding = header.getAttribute("holding").strip();
        return state.equals(StateNames.of(job, generation))
                && (holding.isEmpty() || holding.equals(Boolean.toString(job.holding())));
    }
}
