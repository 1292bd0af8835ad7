// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.job.Job;
import org.jobgate.soap.SoapCall;
import org.w3c.dom.Element;

/** A request with a {@code Wait} header is answered when the job is no longer as the client saw it, or the time is over. */
final class Waiting {

    private final Jobs jobs;
    private final Clock clock;
    private final WaitPlaces places;

    Waiting(Jobs jobs, WaitPlaces places, Clock clock) {
        this.jobs = jobs;
        this.clock = clock;
        this.places = places;
    }

    /** The job as it is, after waiting as long as the request asks for. */
    Optional<Job> job(SoapCall call, JobCalls.NamedJob named) {
        Optional<Job> job = jobs.find(named.caller(), named.id());
        Optional<Element> header = call.header(WaitPlaces.HEADER);
        if (header.isEmpty()
                || job.isEmpty()
                || !isAsSeen(job.get(), Generation.of(call), header.get())
                || !places.enter()) {
            return job;
        }
        try {
            return await(named, job.get(), Generation.of(call), header.get());
        } finally {
            places.leave();
        }
    }

    private Optional<Job> await(JobCalls.NamedJob named, Job first, Generation generation, Element header) {
        Instant end = clock.instant().plus(places.time(header));
        Optional<Job> job = Optional.of(first);
        while (job.isPresent() && isAsSeen(job.get(), generation, header)) {
            Duration left = Duration.between(clock.instant(), end);
            if (left.isNegative() || left.isZero() || jobs.isStopping()) {
                return job;
            }
            job = jobs.awaitChange(named.caller(), named.id(), job.get().version(), left);
        }
        return job;
    }

    /** Whether the job is still as the header says that the client saw it; a client that saw nothing is not made to wait. */
    private static boolean isAsSeen(Job job, Generation generation, Element header) {
        String state = header.getAttribute("state").strip();
        String holding = header.getAttribute("holding").strip();
        return state.equals(StateNames.of(job, generation))
                && (holding.isEmpty() || holding.equals(Boolean.toString(job.isHeld())));
    }
}
