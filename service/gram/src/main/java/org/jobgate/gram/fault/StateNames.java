// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;

/**
 * GRAM4's names of the states of a job (facts/gram4.md section 3.1). GT 4.0 knows no cancelled job: it failed. GT 4.2 knows that its
 * owner ended it.
 */
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

    /** What GT 4.2 has for a job that its owner ended. */
    private static final Set<String> OF_CANCELLED = Set.of("UserTerminateDone", "UserTerminateFailed");

    private StateNames() {}

    /** The name of a job's state in this generation. */
    public static String of(Job job, Generation generation) {
        return of(job.state(), job, generation);
    }

    /** The name of a state that this job is in or was in. */
    public static String of(JobState state, Job job, Generation generation) {
        if (generation == Generation.GT40 || state != JobState.CANCELLED) {
            return of(state);
        }
        Fault fault = job.outcome() == null ? null : job.outcome().fault();
        return switch (fault == null ? FaultCode.CANCELLED_BY_USER : fault.code()) {
            case CANCELLED_BY_USER -> "UserTerminateDone";
            case STAGING_FAILED -> "UserTerminateFailed";
            default -> of(state);
        };
    }

    /** All names that jobs' states have in this generation. */
    public static Set<String> all(Generation generation) {
        Set<String> names = new HashSet<>(TABLE.values());
        if (generation == Generation.GT42) {
            names.addAll(OF_CANCELLED);
        }
        return names;
    }

    /** The states that can have this name; none where it is no name. */
    public static Set<JobState> statesCalled(String name, Generation generation) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        TABLE.forEach((state, other) -> {
            if (other.equals(name)) {
                states.add(state);
            }
        });
        if (generation == Generation.GT42 && OF_CANCELLED.contains(name)) {
            states.add(JobState.CANCELLED);
        }
        return states;
    }

    /** The name of a state, which does not depend on what ended the job. */
    public static String of(JobState state) {
        String name = TABLE.get(state);
        if (name == null) {
            throw new IllegalStateException("the state " + state + " has no name in GRAM4");
        }
        return name;
    }
}
