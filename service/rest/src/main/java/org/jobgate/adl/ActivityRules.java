// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;
import org.jobgate.limits.JobLimits;

/**
 * What the site lets a description ask for.
 *
 * @param memoryFloorMiB less memory than this counts as not said: HTCondor fills in the size of the program where its user says nothing
 * @param sendsMail whether the site's LRMs send mail about jobs
 * @param startsInTime whether the door ends a job that has not started by its {@code ExpirationTime}
 */
public record ActivityRules(
        JobLimits limits,
        long memoryFloorMiB,
        boolean sendsMail,
        boolean startsInTime,
        RuntimeEnvironments runtimeEnvironments,
        InstantSource clock) {

    /** The usual value of {@link #memoryFloorMiB}. */
    public static final long MEMORY_FLOOR_MIB = 64;

    public ActivityRules {
        requireNonNull(limits, "limits is null");
        requireNonNull(runtimeEnvironments, "runtimeEnvironments is null");
        requireNonNull(clock, "clock is null");
    }

    /** Those of a site that has set nothing. */
    public static ActivityRules of(JobLimits limits) {
        return new ActivityRules(
                limits, MEMORY_FLOOR_MIB, false, false, RuntimeEnvironments.NONE, InstantSource.system());
    }
}
