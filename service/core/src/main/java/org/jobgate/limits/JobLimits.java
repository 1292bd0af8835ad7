// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.limits;

/**
 * The bounds of what one job may ask for and of how many jobs there may be.
 *
 * @param liveJobs live jobs in the whole service
 * @param liveJobsPerOwner live jobs of one subject
 * @param arguments arguments of one job
 * @param environment environment variables of one job
 * @param textBytes UTF-8 bytes of any one text of a description; what {@code exec} takes for one argument on Linux is 131,072
 * @param descriptionBytes bytes of a whole description as stored
 * @param count processes of one job
 * @param subJobs jobs of one multi-job
 */
public record JobLimits(
        Limit liveJobs,
        Limit liveJobsPerOwner,
        Limit arguments,
        Limit environment,
        Limit textBytes,
        Limit descriptionBytes,
        Limit count,
        Limit subJobs) {

    public static JobLimits defaults() {
        return new JobLimits(
                new Limit("limits.maxLiveJobs", 1_000_000),
                new Limit("limits.maxLiveJobsPerOwner", 100_000),
                new Limit("limits.maxArguments", 4_096),
                new Limit("limits.maxEnvironment", 1_024),
                new Limit("limits.maxTextBytes", 65_536),
                new Limit("limits.maxDescriptionBytes", 1_048_576),
                new Limit("limits.maxCount", 10_000),
                new Limit("limits.maxSubJobs", 256));
    }
}
