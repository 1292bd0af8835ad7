// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import org.jobgate.engine.EngineSettings;

/** How many workers each stage of a job's way has. */
@Section(
        "How many workers each stage of a job's way has. The number can be changed while the service runs: `jobgate pool`.")
public record WorkersConfig(
        @Setting(description = "Workers that give jobs to the LRM.", byDefault = "4", min = "1", max = "256")
        int submit,

        @Setting(description = "Workers that end jobs in the LRM.", byDefault = "2", min = "1", max = "256")
        int cancel,

        @Setting(description = "Workers that fetch input files.", byDefault = "8", min = "1", max = "256")
        int stageIn,

        @Setting(
                description =
                        "Workers that send output files. The pool `follow`, which begins to send what jobs write while they run, has the same number.",
                byDefault = "8",
                min = "1",
                max = "256")
        int stageOut,

        @Setting(description = "Workers that remove what jobs left behind.", byDefault = "4", min = "1", max = "256")
        int cleanUp,

        @Setting(
                description = "Jobs that wait in memory for one stage; more wait in the store.",
                byDefault = "10000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        int queueLimit,

        @Setting(
                description =
                        "Time between two looks for jobs whose lifetime is over and for jobs that a stage had no room for.",
                byDefault = "5s",
                min = "100ms",
                max = "10m",
                tier = Tier.RARE)
        Duration sweepInterval,

        @Setting(
                description = "A cancel that the LRM has not confirmed is repeated after this time.",
                byDefault = "30s",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration cancelRetry,

        @Setting(
                description =
                        "An LRM that gives no clear answer is left alone for a while, longer each time, and for this long at the most.",
                byDefault = "1m",
                min = "1s",
                max = "1h",
                tier = Tier.RARE)
        Duration longestPause) {

    /** For the engine; how long finished jobs are kept is the store's setting. */
    public EngineSettings engineSettings(Duration retention) {
        return new EngineSettings(
                submit,
                cancel,
                stageIn,
                stageOut,
                cleanUp,
                queueLimit,
                sweepInterval,
                cancelRetry,
                retention,
                longestPause);
    }
}
