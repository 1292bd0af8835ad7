// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** From when on the service has too much to do to take new jobs. */
@Section(
        "From when on new jobs are refused at every door, with the reason, because the service or its machine has too much to do. Jobs that were accepted"
                + " go on, and a repeated submission is answered. `0` is no threshold. In a container, load, memory and swap are those of the machine."
                + " [How it works](../operate/limits.md#when-the-service-has-too-much-to-do).")
public record SelfLimiterConfig(
        @Setting(description = "Load average of the last minute.", byDefault = "0", min = "0", max = "100000")
        long load1,

        @Setting(description = "Load average of the last 5 minutes.", byDefault = "0", min = "0", max = "100000")
        long load5,

        @Setting(description = "Load average of the last 15 minutes.", byDefault = "0", min = "0", max = "100000")
        long load15,

        @Setting(
                description = "Percent of the memory that is in use (what is not available to new programs).",
                byDefault = "0",
                min = "0",
                max = "100")
        long memory,

        @Setting(description = "Percent of the swap space that is in use.", byDefault = "0", min = "0", max = "100")
        long swap,

        @Setting(description = "Open file descriptors of the service.", byDefault = "0", min = "0")
        long descriptors,

        @Setting(
                description = "Percent of the disk of the state directory that is in use.",
                byDefault = "0",
                min = "0",
                max = "100")
        long disk,

        @Setting(description = "Jobs in the service that are not over.", byDefault = "0", min = "0")
        long activeJobs,

        @Setting(
                description = "Jobs that wait for a worker of the service, in all its stages together.",
                byDefault = "0",
                min = "0")
        long pendingCommands,

        @Setting(
                description = "For so long what was measured is believed.",
                byDefault = "10s",
                min = "100ms",
                max = "1h",
                tier = Tier.RARE)
        Duration interval) {}
