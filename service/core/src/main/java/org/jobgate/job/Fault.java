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
 * @param attribute the part of the job description it is about, e.g. {@code executable}
 * @param value that part's value, e.g. the path; of a transfer, its source
 * @param destination of a transfer, where it was to go
 * @param during the state in which it happened, where a job exists
 */
public record Fault(
        FaultCode code,
        String sentence,
        String remedy,
        @Nullable String attribute,
        @Nullable String value,
        @Nullable String destination,
        @Nullable Evidence evidence,
        @Nullable JobState during) {

    public Fault {
        requireNonNull(code, "code is null");
        requireNonNull(sentence, "sentence is null");
        requireNonNull(remedy, "remedy is null");
    }

    public static Fault of(FaultCode code, String sentence, String remedy) {
        return new Fault(code, sentence, remedy, null, null, null, null, null);
    }

    public Fault about(String newAttribute, @Nullable String newValue) {
        return new Fault(code, sentence, remedy, newAttribute, newValue, destination, evidence, during);
    }

    /** The same of a transfer that was to go there. */
    public Fault to(@Nullable String newDestination) {
        return new Fault(code, sentence, remedy, attribute, value, newDestination, evidence, during);
    }

    public Fault with(Evidence newEvidence) {
        return new Fault(code, sentence, remedy, attribute, value, destination, newEvidence, during);
    }

    public Fault during(JobState state) {
        return new Fault(code, sentence, remedy, attribute, value, destination, evidence, state);
    }

    public FaultOrigin origin() {
        return code.origin();
    }
}
