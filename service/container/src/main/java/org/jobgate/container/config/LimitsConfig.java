// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;

/** The bounds of everything that comes from outside. */
@Section(
        "The bounds of everything that comes from outside. A refusal says the limit, its value and the caller's count.")
public record LimitsConfig(
        @Setting(
                description = "Live jobs in the whole service.",
                byDefault = "1000000",
                min = "1",
                tier = Tier.ESSENTIAL)
        long maxLiveJobs,

        @Setting(description = "Live jobs of one subject.", byDefault = "100000", min = "1", tier = Tier.ESSENTIAL)
        long maxLiveJobsPerOwner,

        @Setting(description = "Arguments of one job.", byDefault = "4096", min = "0", max = "1000000")
        long maxArguments,

        @Setting(description = "Environment variables of one job.", byDefault = "1024", min = "0", max = "1000000")
        long maxEnvironment,

        @Setting(
                description =
                        "Bytes of any one text of a job description, in UTF-8. Linux takes at most 131,072 for one argument.",
                byDefault = "64KiB",
                min = "1B",
                max = "128KiB")
        DataSize maxTextBytes,

        @Setting(
                description = "Bytes of a whole job description, as stored.",
                byDefault = "1MiB",
                min = "1KiB",
                max = "64MiB")
        DataSize maxDescriptionBytes,

        @Setting(description = "Processes of one job.", byDefault = "10000", min = "1", max = "1000000")
        long maxCount,

        @Setting(description = "Jobs of one multi-job.", byDefault = "256", min = "1", max = "10000")
        long maxSubJobs,

        @Setting(
                description = "Jobs that one request may name, to look at, cancel, release or destroy them.",
                byDefault = "10000",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        long maxJobsAtOnce,

        @Setting(
                description = "Elements of one group of jobs (an array, or a sweep over values).",
                byDefault = "100000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        long maxGroupElements,

        @Setting(
                description = "Bytes of all values of one group, in UTF-8.",
                byDefault = "8MiB",
                min = "1KiB",
                max = "64MiB",
                tier = Tier.RARE)
        DataSize maxGroupBytes,

        @Setting(
                description = "Groups of one subject that are not over.",
                byDefault = "1000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        long maxGroupsPerOwner,

        @Setting(
                description =
                        "Elements of one group that are jobs at the same time; the others wait for their turn. A group may ask for fewer.",
                byDefault = "1000",
                min = "1",
                max = "100000",
                tier = Tier.RARE)
        long maxGroupRunning,

        @Setting(
                description = "Earlier jobs of its owner that one submission may wait for (after).",
                byDefault = "100",
                min = "0",
                max = "1000",
                tier = Tier.RARE)
        long maxAfter,

        @Setting(
                description = "Bytes that one process or sub-job may leave at a job's rendezvous.",
                byDefault = "64KiB",
                min = "1B",
                max = "96KiB",
                tier = Tier.RARE)
        DataSize maxRegistrantBytes,

        @Setting(
                description = "Bytes of all that is left at one job's rendezvous.",
                byDefault = "4MiB",
                min = "1B",
                max = "64MiB",
                tier = Tier.RARE)
        DataSize maxRendezvousBytes,

        @Setting(description = "Bytes of one request's body.", byDefault = "10MiB", min = "1KiB", max = "1GiB")
        DataSize maxBodyBytes,

        @Setting(
                description = "Bytes of the bodies of all requests that are being worked on.",
                byDefault = "64MiB",
                min = "1MiB",
                max = "64GiB",
                tier = Tier.RARE)
        DataSize maxBodyBytesInFlight,

        @Setting(
                description = "Bytes of one request's header lines.",
                byDefault = "16KiB",
                min = "1KiB",
                max = "1MiB",
                tier = Tier.RARE)
        DataSize maxHeaderBytes,

        @Setting(
                description =
                        "Open connections. A connection above it is closed, and told so before where there is time for it.",
                byDefault = "6000",
                min = "1",
                max = "1000000")
        int maxConnections,

        @Setting(
                description = "Requests that are being worked on or that wait for a change.",
                byDefault = "4096",
                min = "1",
                max = "1000000")
        int maxConcurrentRequests,

        @Setting(
                description =
                        "Requests that are worked on at once; 0: four for each processor, 8 at the least and 48 at the most. The others take"
                                + " turns between their owners; one owner has no more than are free. More than 48 want more carriers of"
                                + " threads in `jvm.options`.",
                byDefault = "0",
                min = "0",
                max = "10000",
                tier = Tier.RARE)
        int maxWorking,

        @Setting(
                description =
                        "TLS handshakes that are worked on at once; 0: one for each two processors, 8 at the most. The others take turns between their"
                                + " addresses.",
                byDefault = "0",
                min = "0",
                max = "1000",
                tier = Tier.RARE)
        int maxHandshakes,

        @Setting(
                description =
                        "How long a request may wait for a change of a job or of a request to move files; a client that asks for more gets this.",
                byDefault = "30s",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration maxWait,

        @Setting(
                description =
                        "Requests that may wait for such a change at the same time; one more is answered at once.",
                byDefault = "2000",
                min = "0",
                max = "1000000",
                tier = Tier.RARE)
        long maxWaitingRequests) {

    /** The part that concerns jobs, by the names that these limits have in the file. */
    public JobLimits jobLimits() {
        return new JobLimits(
                new Limit("limits.maxLiveJobs", maxLiveJobs),
                new Limit("limits.maxLiveJobsPerOwner", maxLiveJobsPerOwner),
                new Limit("limits.maxArguments", maxArguments),
                new Limit("limits.maxEnvironment", maxEnvironment),
                new Limit("limits.maxTextBytes", maxTextBytes.bytes()),
                new Limit("limits.maxDescriptionBytes", maxDescriptionBytes.bytes()),
                new Limit("limits.maxCount", maxCount),
                new Limit("limits.maxSubJobs", maxSubJobs),
                new Limit("limits.maxJobsAtOnce", maxJobsAtOnce),
                new Limit("limits.maxGroupElements", maxGroupElements),
                new Limit("limits.maxGroupBytes", maxGroupBytes.bytes()),
                new Limit("limits.maxGroupsPerOwner", maxGroupsPerOwner),
                new Limit("limits.maxGroupRunning", maxGroupRunning),
                new Limit("limits.maxAfter", maxAfter));
    }
}
