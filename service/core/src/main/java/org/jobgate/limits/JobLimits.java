// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.limits;

import java.util.ArrayList;
import java.util.List;

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
 * @param jobsAtOnce jobs that one request may name, to look at, cancel, release or destroy them; at most 10,000
 * @param groupElements elements of one group of jobs
 * @param groupBytes UTF-8 bytes of all values of one group
 * @param groupsPerOwner groups of one subject that are not over
 * @param groupRunning elements of one group that have a job which is not over
 * @param after earlier jobs that the jobs of one submission may wait for
 */
public record JobLimits(
        Limit liveJobs,
        Limit liveJobsPerOwner,
        Limit arguments,
        Limit environment,
        Limit textBytes,
        Limit descriptionBytes,
        Limit count,
        Limit subJobs,
        Limit jobsAtOnce,
        Limit groupElements,
        Limit groupBytes,
        Limit groupsPerOwner,
        Limit groupRunning,
        Limit after) {

    public static JobLimits defaults() {
        return new JobLimits(
                new Limit("limits.maxLiveJobs", 1_000_000),
                new Limit("limits.maxLiveJobsPerOwner", 100_000),
                new Limit("limits.maxArguments", 4_096),
                new Limit("limits.maxEnvironment", 1_024),
                new Limit("limits.maxTextBytes", 65_536),
                new Limit("limits.maxDescriptionBytes", 1_048_576),
                new Limit("limits.maxCount", 10_000),
                new Limit("limits.maxSubJobs", 256),
                new Limit("limits.maxJobsAtOnce", 10_000),
                new Limit("limits.maxGroupElements", 100_000),
                new Limit("limits.maxGroupBytes", 8_388_608),
                new Limit("limits.maxGroupsPerOwner", 1_000),
                new Limit("limits.maxGroupRunning", 1_000),
                new Limit("limits.maxAfter", 100));
    }

    /**
     * The same with these in the place of those of their names.
     *
     * @throws IllegalArgumentException where there is no limit of that name
     */
    public JobLimits with(Limit... others) {
        List<Limit> all = new ArrayList<>(all());
        for (Limit other : others) {
            int place = all.stream().map(Limit::name).toList().indexOf(other.name());
            if (place < 0) {
                throw new IllegalArgumentException("there is no limit " + other.name());
            }
            all.set(place, other);
        }
        return of(all);
    }

    private List<Limit> all() {
        return List.of(
                liveJobs,
                liveJobsPerOwner,
                arguments,
                environment,
                textBytes,
                descriptionBytes,
                count,
                subJobs,
                jobsAtOnce,
                groupElements,
                groupBytes,
                groupsPerOwner,
                groupRunning,
                after);
    }

    private static JobLimits of(List<Limit> all) {
        return new JobLimits(
                all.get(0),
                all.get(1),
                all.get(2),
                all.get(3),
                all.get(4),
                all.get(5),
                all.get(6),
                all.get(7),
                all.get(8),
                all.get(9),
                all.get(10),
                all.get(11),
                all.get(12),
                all.get(13));
    }
}
