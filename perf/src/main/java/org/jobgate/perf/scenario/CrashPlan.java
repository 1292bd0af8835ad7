// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.jobgate.perf.wire.JobRequest;

/** All that a crash run decides by chance, decided before it begins: the same seed gives the same plan. */
record CrashPlan(List<PlannedJob> jobs, List<Kill> kills) {

    /** Exit codes from 128 on stand for signals in a shell. */
    private static final int EXIT_CODES = 126;

    private static final int MAX_SUBMIT_DELAY_MS = 1_000;
    private static final int MAX_SLEEP_MS = 1_500;
    /** One kill in so many hits the service while it starts. */
    private static final int KILL_DURING_START_IN = 5;

    private static final int MAX_START_DELAY_MS = 1_500;

    CrashPlan {
        jobs = List.copyOf(jobs);
        kills = List.copyOf(kills);
    }

    /**
     * Draws a plan.
     *
     * @param directory where each job's file goes
     * @param uptimeMs the longest time that the service is left running between two kills
     */
    static CrashPlan draw(long seed, int jobs, int kills, Path directory, int uptimeMs) {
        Random random = new Random(seed);
        List<PlannedJob> plannedJobs = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            plannedJobs.add(new PlannedJob(
                    new UUID(random.nextLong(), random.nextLong()).toString(),
                    directory.resolve("line-" + i),
                    random.nextInt(MAX_SUBMIT_DELAY_MS),
                    random.nextInt(MAX_SLEEP_MS),
                    random.nextInt(MAX_SLEEP_MS),
                    random.nextInt(EXIT_CODES)));
        }
        List<Kill> plannedKills = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            boolean duringStart = random.nextInt(KILL_DURING_START_IN) == 0;
            plannedKills.add(new Kill(duringStart, random.nextInt(duringStart ? MAX_START_DELAY_MS : uptimeMs)));
        }
        return new CrashPlan(plannedJobs, plannedKills);
    }

    /**
     * One job: it sleeps, appends its key to its file with one write, sleeps again, and ends with its own exit code. One that is run twice
     * leaves two lines, whatever becomes of either run.
     */
    record PlannedJob(String key, Path file, int submitDelayMs, int sleepBeforeMs, int sleepAfterMs, int exitCode) {

        private static final String SCRIPT = "sleep \"$3\"; printf '%s\\n' \"$1\" >> \"$2\"; sleep \"$4\"; exit \"$5\"";

        JobRequest request(Instant terminationTime) {
            return new JobRequest(
                    key,
                    "/bin/sh",
                    List.of(
                            "-c",
                            SCRIPT,
                            "sh",
                            key,
                            file.toString(),
                            seconds(sleepBeforeMs),
                            seconds(sleepAfterMs),
                            Integer.toString(exitCode)),
                    terminationTime,
                    null);
        }

        private static String seconds(int millis) {
            return millis / 1_000 + "." + String.format(Locale.ROOT, "%03d", millis % 1_000);
        }
    }

    /**
     * One kill.
     *
     * @param duringStart whether the service is hit while it starts, instead of when it runs
     * @param delayMs after which time of that
     */
    record Kill(boolean duringStart, int delayMs) {}
}
