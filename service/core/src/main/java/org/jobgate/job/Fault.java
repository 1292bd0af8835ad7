// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One thing that went wrong, said once and shown the same by every front door.
 *
 * @param sentence what failed, on what and why, for the person who can mend it
 * @param remedy what to do; empty where nothing can be advised
 * @param part the part of the job's description or submission that it is about; each door has its own name for it
 * @param attribute what it is about where that is no such part: a limit by its name, or what only one door or LRM adapter has a name for; in
 *     faults that were stored before November 2026, a part by the name that the client's language has for it
 * @param value that part's value, e.g. the path; of a transfer, its source
 * @param destination of a transfer, where it was to go
 * @param during the state in which it happened, where a job exists
 * @param later that the same request may be taken later; absent where it would be refused again, and in faults of jobs
 */
public record Fault(
        FaultCode code,
        String sentence,
        String remedy,
        @Nullable DescriptionPart part,
        @Nullable String attribute,
        @Nullable String value,
        @Nullable String destination,
        @Nullable Evidence evidence,
        @Nullable JobState during,
        @Nullable Later later) {

    public Fault {
        requireNonNull(code, "code is null");
        requireNonNull(sentence, "sentence is null");
        requireNonNull(remedy, "remedy is null");
    }

    public static Fault of(FaultCode code, String sentence, String remedy) {
        return new Fault(code, sentence, remedy, null, null, null, null, null, null, null);
    }

    /** The same about this part, which has this value. */
    public Fault about(DescriptionPart newPart, @Nullable String newValue) {
        return new Fault(code, sentence, remedy, newPart, null, newValue, destination, evidence, during, later);
    }

    /** The same about what is no part of every description: a limit, or what only one door or adapter has a name for. */
    public Fault about(String newAttribute, @Nullable String newValue) {
        return new Fault(code, sentence, remedy, null, newAttribute, newValue, destination, evidence, during, later);
    }

    /** The same, and which part of the description a limit is about. */
    public Fault at(DescriptionPart newPart) {
        return new Fault(code, sentence, remedy, newPart, attribute, value, destination, evidence, during, later);
    }

    /** The same about what the other fault is about. */
    public Fault aboutThatOf(Fault other) {
        return new Fault(
                code, sentence, remedy, other.part, other.attribute, other.value, destination, evidence, during, later);
    }

    /** The same of a transfer that was to go there. */
    public Fault to(@Nullable String newDestination) {
        return new Fault(code, sentence, remedy, part, attribute, value, newDestination, evidence, during, later);
    }

    public Fault with(Evidence newEvidence) {
        return new Fault(code, sentence, remedy, part, attribute, value, destination, newEvidence, during, later);
    }

    public Fault during(JobState state) {
        return new Fault(code, sentence, remedy, part, attribute, value, destination, evidence, state, later);
    }

    /** The same of a request that may be taken later. */
    public Fault until(Later newLater) {
        return new Fault(code, sentence, remedy, part, attribute, value, destination, evidence, during, newLater);
    }

    public FaultOrigin origin() {
        return code.origin();
    }
}
