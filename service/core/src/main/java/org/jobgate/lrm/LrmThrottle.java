// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How much of one LRM the gateway may use. A limit of 0 is none. Jobs beyond a limit wait in the gateway's own queue.
 *
 * @param submitsAtOnce submissions that may be under way at once
 * @param batchLimit jobs in one submission, at least 1
 * @param maxJobs jobs that wait or run in the LRM
 * @param maxJobsPerOwner the same, of one subject
 * @param maxJobsPerQueue the same, in one queue as job descriptions name it; jobs that name none count together
 * @param pollInterval between two questions of a watch that has to ask the LRM
 */
public record LrmThrottle(
        int submitsAtOnce,
        int batchLimit,
        int maxJobs,
        int maxJobsPerOwner,
        int maxJobsPerQueue,
        Duration pollInterval) {

    public static final int MAX_JOBS = 1_000_000;
    public static final int MAX_BATCH = 10_000;
    public static final int MAX_SUBMITS = 256;
    public static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);
    public static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(100);
    public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(5);

    public LrmThrottle {
        requireWithin("submitsAtOnce", submitsAtOnce, 0, MAX_SUBMITS);
        requireWithin("batchLimit", batchLimit, 1, MAX_BATCH);
        requireWithin("maxJobs", maxJobs, 0, MAX_JOBS);
        requireWithin("maxJobsPerOwner", maxJobsPerOwner, 0, MAX_JOBS);
        requireWithin("maxJobsPerQueue", maxJobsPerQueue, 0, MAX_JOBS);
        requireNonNull(pollInterval, "pollInterval is null");
        if (pollInterval.compareTo(MIN_POLL_INTERVAL) < 0 || pollInterval.compareTo(MAX_POLL_INTERVAL) > 0) {
            throw new IllegalArgumentException("pollInterval is " + pollInterval + "; it must be from "
                    + MIN_POLL_INTERVAL + " to " + MAX_POLL_INTERVAL);
        }
    }

    private static void requireWithin(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be from " + least + " to " + most);
        }
    }

    /** No limits. */
    public static LrmThrottle unlimited(int batchLimit) {
        return new LrmThrottle(0, batchLimit, 0, 0, 0, DEFAULT_POLL_INTERVAL);
    }

    /** Whether jobs in the LRM must be counted. */
    public boolean counts() {
        return maxJobs > 0 || maxJobsPerOwner > 0 || maxJobsPerQueue > 0;
    }
}
