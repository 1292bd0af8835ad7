// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.Map;
import java.util.Optional;
import org.jobgate.job.JobState;

/** The states at which a job can be held, by their names on the wire (facts/gram4.md section 3.4). */
final class HoldStates {

    private static final Map<String, JobState> BY_NAME = Map.of(
            "StageIn", JobState.STAGE_IN,
            "Pending", JobState.PENDING,
            "StageOut", JobState.STAGE_OUT,
            "CleanUp", JobState.CLEAN_UP);

    private HoldStates() {}

    static Optional<JobState> state(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    static String name(JobState state) {
        return BY_NAME.entrySet().stream()
                .filter(entry -> entry.getValue() == state)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a job cannot be held at " + state));
    }
}
