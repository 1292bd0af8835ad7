// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jobgate.job.JobId;

/** Which groups, and which single jobs, a pool leaves alone for a while. Not safe for threads: the pool's lock guards it. */
final class Pauses {

    private final Map<String, Long> groups = new HashMap<>();
    private final Map<JobId, Long> jobs = new HashMap<>();

    void put(String group, Duration howLong) {
        groups.put(group, System.nanoTime() + howLong.toNanos());
    }

    void put(JobId job, Duration howLong) {
        jobs.put(job, System.nanoTime() + howLong.toNanos());
    }

    void expire(long nowNanos) {
        groups.values().removeIf(until -> until - nowNanos <= 0);
        jobs.values().removeIf(until -> until - nowNanos <= 0);
    }

    boolean hold(WorkQueue.Item item) {
        return groups.containsKey(item.group()) || jobs.containsKey(item.job());
    }

    boolean isEmpty() {
        return groups.isEmpty() && jobs.isEmpty();
    }
}
