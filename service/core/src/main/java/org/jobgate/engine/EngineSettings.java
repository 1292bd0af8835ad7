// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How the lifecycle engine works.
 *
 * @param submitWorkers batches given to LRMs at once
 * @param cancelWorkers batches cancelled at once
 * @param stageInWorkers jobs whose input files are fetched at once
 * @param stageOutWorkers jobs whose output files are sent at once
 * @param cleanUpWorkers jobs cleaned up at once
 * @param queueLimit jobs waiting in memory for one stage; more wait in the store
 * @param sweepInterval between looks for expired jobs, and for jobs that a stage has no room for
 * @param cancelRetry after which a cancel that the LRM did not confirm is repeated
 * @param retention how long a finished job is kept
 * @param longestPause the longest time that an LRM which gives no clear answer is left alone
 */
public record EngineSettings(
        int submitWorkers,
        int cancelWorkers,
        int stageInWorkers,
        int stageOutWorkers,
        int cleanUpWorkers,
        int queueLimit,
        Duration sweepInterval,
        Duration cancelRetry,
        Duration retention,
        Duration longestPause) {

    public EngineSettings {
        requireNonNull(sweepInterval, "sweepInterval is null");
        requireNonNull(cancelRetry, "cancelRetry is null");
        requireNonNull(retention, "retention is null");
        requireNonNull(longestPause, "longestPause is null");
    }

    public static EngineSettings defaults() {
        return new EngineSettings(
                4,
                2,
                8,
                8,
                4,
                10_000,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofDays(30),
                Duration.ofMinutes(1));
    }
}
