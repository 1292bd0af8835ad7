// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.job.JobState;

/** GRAM4's names of the states of a job (facts/gram4.md section 3.1). GT 4.0 knows no cancelled job: it failed. */
public final class StateNames {

    private static final Map<JobState, String> TABLE = new EnumMap<>(Map.of(
            JobState.UNSUBMITTED, "Unsubmitted",
            JobState.STAGE_IN, "StageIn",
            JobState.PENDING, "Pending",
            JobState.ACTIVE, "Active",
            JobState.SUSPENDED, "Suspended",
            JobState.STAGE_OUT, "StageOut",
            JobState.CLEAN_UP, "CleanUp",
            JobState.DONE, "Done",
            JobState.FAILED, "Failed",
            JobState.CANCELLED, "Failed"));

    private StateNames() {}

    public static String of(JobState state) {
        String name = TABLE.get(state);
        if (name == null) {
            throw new IllegalStateException("the state " + state + " has no name in GRAM4");
        }
        return name;
    }
}
