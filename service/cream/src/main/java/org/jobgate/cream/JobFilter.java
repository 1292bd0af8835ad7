// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.Job;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a request is about. Without ids, all of the caller's that match; with ids, these, and each that does not match has a fault of
 * its own.
 *
 * @param ids as the client wrote them
 * @param states empty for any
 * @param from jobs registered at this time or later
 * @param to jobs registered at this time or before
 */
record JobFilter(
        String operation,
        List<Named> ids,
        Set<CreamState> states,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String delegation,
        @Nullable String lease) {

    /**
     * A job as a request names it.
     *
     * @param id as it was written, for the answer
     */
    record Named(String id) {}

    JobFilter {
        ids = List.copyOf(ids);
        states = states.isEmpty() ? Set.of() : Set.copyOf(states);
    }

    /**
     * What the elements of a request say.
     *
     * @throws CreamFault for an unknown state, and for a text that is no time
     */
    static JobFilter read(String operation, XmlElement request, Limit jobsAtOnce) {
        List<Named> ids = new ArrayList<>();
        Set<CreamState> states = EnumSet.noneOf(CreamState.class);
        for (XmlElement child : request.children()) {
            switch (child.localName()) {
                case "jobId" ->
                    ids.add(new Named(
                            child.child("id").map(XmlElement::trimmedText).orElse(child.trimmedText())));
                case "status" -> states.add(state(operation, child.trimmedText()));
                default -> {
                    // the rest is read by its name
                }
            }
        }
        jobsAtOnce.check(ids.size(), "jobs that the request names");
        return new JobFilter(
                operation,
                ids,
                states,
                time(operation, request, "fromDate"),
                time(operation, request, "toDate"),
                text(request, "delegationId").orElse(null),
                text(request, "leaseId").orElse(null));
    }

    private static CreamState state(String operation, String word) {
        return CreamState.of(word)
                .orElseThrow(
                        () -> CreamFault.invalid(
                                operation,
                                "There is no state '" + CreamNames.shown(word) + "'.",
                                "States are REGISTERED, PENDING, IDLE, RUNNING, REALLY-RUNNING, HELD, DONE-OK, DONE-FAILED, CANCELLED, ABORTED."));
    }

    private static @Nullable Instant time(String operation, XmlElement request, String name) {
        return text(request, name)
                .map(text -> CreamNames.time(operation, name, text))
                .orElse(null);
    }

    /** The text of the child of this name; empty if there is none or it has no text. */
    static Optional<String> text(XmlElement parent, String name) {
        return parent.child(name)
                .filter(child -> !child.isNil())
                .map(XmlElement::trimmedText)
                .filter(text -> !text.isEmpty());
    }

    /** Why the job is not one of those that are meant; empty where it is. */
    Optional<CreamFault> mismatch(Job job, CreamJob kept) {
        if (delegation != null && !delegation.equals(kept.delegation())) {
            return Optional.of(new CreamFault(
                    FaultKind.DELEGATION_MISMATCH,
                    operation,
                    "delegationId mismatch!",
                    "The job was registered with another delegation than " + CreamNames.shown(delegation) + "."));
        }
        if (lease != null && !lease.equals(kept.lease())) {
            return Optional.of(new CreamFault(
                    FaultKind.LEASE_MISMATCH,
                    operation,
                    "leaseId mismatch!",
                    "The job is not under the lease " + CreamNames.shown(lease) + "."));
        }
        boolean isTooEarly = from != null && job.created().isBefore(from);
        boolean isTooLate = to != null && job.created().isAfter(to);
        if (isTooEarly || isTooLate) {
            return Optional.of(new CreamFault(
                    FaultKind.DATE_MISMATCH,
                    operation,
                    "date mismatch!",
                    "The job was registered at " + CreamNames.time(job.created()) + "."));
        }
        return states.isEmpty() || states.contains(CreamState.of(job))
                ? Optional.empty()
                : Optional.of(statusInvalid(job));
    }

    /** What is asked for cannot be done with the job as it stands. */
    CreamFault statusInvalid(Job job) {
        return new CreamFault(
                FaultKind.STATUS_INVALID,
                operation,
                "job status does not match!",
                "The job is " + CreamState.of(job).word() + ".");
    }

    /** A job of somebody else, one that was purged and one that never was are all alike. */
    CreamFault unknown() {
        return new CreamFault(
                FaultKind.JOB_UNKNOWN,
                operation,
                "job not found!",
                "No job of yours has this id. It may have been purged.");
    }
}
