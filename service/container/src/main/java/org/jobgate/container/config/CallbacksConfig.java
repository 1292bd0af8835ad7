// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** Telling clients about their jobs. */
@Section("How clients that asked for it are told about changes of their jobs.")
public record CallbacksConfig(
        @Setting(
                description =
                        "Messages on their way at the same time. One owner has a quarter of them at the most, and two at the least.",
                byDefault = "64",
                min = "1",
                max = "10000")
        long maxDeliveries,

        @Setting(description = "Subscriptions that one job may have.", byDefault = "8", min = "1", max = "1000")
        long maxSubscriptionsPerJob,

        @Setting(
                description = "Messages that may wait for one consumer; the oldest are left out where there are more.",
                byDefault = "64",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        long maxWaitingMessages,

        @Setting(
                description = "How long one attempt to deliver may take.",
                byDefault = "10s",
                min = "100ms",
                max = "5m")
        Duration timeout,

        @Setting(
                description =
                        "After a failed attempt the next one is made after this time, doubled with every further failure.",
                byDefault = "1s",
                min = "100ms",
                max = "1h",
                tier = Tier.RARE)
        Duration firstRetry,

        @Setting(
                description = "The longest time between two attempts.",
                byDefault = "1m",
                min = "100ms",
                max = "1d",
                tier = Tier.RARE)
        Duration slowestRetry,

        @Setting(
                description = "A consumer that could not be reached for so long is told no more.",
                byDefault = "10m",
                min = "1s",
                max = "30d")
        Duration giveUpAfter,

        @Setting(
                description =
                        "Whether a consumer may be in a private network. `false` keeps clients from making the service call inner"
                                + " addresses. The service's own ports, addresses of the local link and metadata services of clouds"
                                + " are never called.",
                byDefault = "true")
        boolean allowPrivateAddresses,

        @Setting(
                description =
                        "Whether a consumer may be at a loopback address of the gateway's own machine, as of clients that run on it.",
                byDefault = "false")
        boolean allowLoopbackAddresses) {}
