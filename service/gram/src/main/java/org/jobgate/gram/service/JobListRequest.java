// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.ShortText;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.store.JobQuery;
import org.jobgate.xml.XmlElement;

/**
 * A {@code listJobs} request, read.
 *
 * @param states the names of those asked for; empty means all
 */
record JobListRequest(JobQuery query, Set<String> states, Generation generation) {

    private static final Set<String> ELEMENTS = Set.of("state", "localResourceManager", "since", "maxJobs", "cursor");

    /** @param limit the most jobs of one answer */
    static JobListRequest read(XmlElement body, Generation generation, Limit limit) {
        for (XmlElement element : body.children()) {
            if (!ELEMENTS.contains(element.localName())) {
                throw wrong(element, "it is not known. Known are: " + known(ELEMENTS));
            }
        }
        Set<String> states = new HashSet<>();
        EnumSet<JobState> stored = EnumSet.noneOf(JobState.class);
        for (XmlElement element : body.children()) {
            if (element.localName().equals("state")) {
                stored.addAll(stored(element, generation));
                states.add(element.trimmedText());
            }
        }
        boolean finished = stored.isEmpty() || stored.stream().anyMatch(JobState::isTerminal);
        JobQuery query = JobQuery.builder()
                .finished(finished)
                .states(stored)
                .lrm(body.child("localResourceManager")
                        .map(XmlElement::trimmedText)
                        .orElse(null))
                .after(from(body).orElse(null))
                .limit(pageSize(body, limit))
                .build();
        return new JobListRequest(query, Set.copyOf(states), generation);
    }

    private static Set<JobState> stored(XmlElement element, Generation generation) {
        Set<JobState> states = StateNames.statesCalled(element.trimmedText(), generation);
        if (states.isEmpty()) {
            throw wrong(element, "it is no state. States are: " + known(StateNames.all(generation)));
        }
        return states;
    }

    private static int pageSize(XmlElement body, Limit limit) {
        return body.child("maxJobs").map(element -> count(element, limit)).orElse((int) limit.value());
    }

    private static int count(XmlElement element, Limit limit) {
        String text = element.trimmedText();
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) == 0) {
            throw wrong(element, "it must be a whole number from 1");
        }
        return (int) Math.min(Integer.parseInt(text), limit.value());
    }

    /** The jobs after the last of the page before, or those since a time: ids grow with time. */
    private static Optional<JobId> from(XmlElement body) {
        return Stream.concat(
                        body.child("since").map(JobListRequest::least).stream(),
                        body.child("cursor").map(JobListRequest::last).stream())
                .max(Comparator.comparing(JobId::toString));
    }

    private static JobId least(XmlElement since) {
        try {
            Instant time = Times.parse(since.text());
            return JobId.least(time);
        } catch (IllegalArgumentException e) {
            throw wrong(since, String.valueOf(e.getMessage()));
        }
    }

    private static JobId last(XmlElement cursor) {
        try {
            return JobCursor.read(cursor.trimmedText());
        } catch (IllegalArgumentException e) {
            throw wrong(cursor, "it is not the nextCursor of an answer");
        }
    }

    private static SoapFaultException wrong(XmlElement element, String rule) {
        String text = element.trimmedText();
        return SoapFaultException.client("The element " + element.localName() + " of listJobs, '"
                + ShortText.of(text, 60) + "', is wrong: " + rule
                + ". Correct it, or leave it out.");
    }

    private static String known(Set<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }

    /** Whether the job is one of those asked for: two states of GT 4.2 are one of the store's. */
    boolean matches(Job job) {
        return states.isEmpty() || states.contains(StateNames.of(job, generation));
    }
}
