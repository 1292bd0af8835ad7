// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** The REST API. */
@Section("The REST API (`/api/v1`).")
public record ApiConfig(
        @Setting(
                description = "Jobs in one page of a list; a request that asks for more gets this.",
                byDefault = "10000",
                min = "1",
                max = "10000")
        long maxListedJobs,

        @Setting(
                description =
                        "Requests of one subject that may wait for a change at the same time; one more is answered at once."
                                + " All together have `limits.maxWaitingRequests`, and wait at most `limits.maxWait`.",
                byDefault = "500",
                min = "0",
                max = "1000000",
                tier = Tier.RARE)
        long maxWaitingPerOwner,

        @Setting(
                description =
                        "Streams of events at the same time, of everybody; each is one of `limits.maxConcurrentRequests`.",
                byDefault = "2000",
                min = "0",
                max = "1000000")
        long maxFollowers,

        @Setting(description = "The same of one subject.", byDefault = "200", min = "0", max = "1000000")
        long maxFollowersPerOwner,

        @Setting(
                description = "After how long without news a stream of events has a sign of life.",
                byDefault = "15s",
                min = "1s",
                max = "10m",
                tier = Tier.RARE)
        Duration keepAlive,

        @Setting(
                description =
                        "A stream of events whose client takes longer than this for what it is sent at once is ended."
                                + " It can go on where it was.",
                byDefault = "10s",
                min = "100ms",
                max = "10m",
                tier = Tier.RARE)
        Duration slowestFollower) {}
