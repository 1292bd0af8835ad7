// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.store.CreatedJob;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were just stored, until they are on record: read from the store again, each would cost more than to record it. Bounded in number and
 * in memory; where there is no room the job is not kept, and is read. Safe for many threads.
 */
final class FreshJobs {

    static final int MOST = 4_096;

    /** Characters of descriptions and records of all of them. */
    static final long MOST_TEXT = 8L * 1024 * 1024;

    private final Map<JobId, CreatedJob> jobs = new HashMap<>();
    private long text;

    synchronized void add(List<CreatedJob> created) {
        for (CreatedJob one : created) {
            long length = length(one);
            if (jobs.size() < MOST
                    && text + length <= MOST_TEXT
                    && jobs.putIfAbsent(one.job().id(), one) == null) {
                text += length;
            }
        }
    }

    /** Whether half of the room is taken: what finds none later is read again, which costs more. */
    synchronized boolean isHalfFull() {
        return jobs.size() >= MOST / 2 || text >= MOST_TEXT / 2;
    }

    /** As it was stored; absent where it is not kept here. */
    synchronized @Nullable CreatedJob find(JobId id) {
        return jobs.get(id);
    }

    /** It is on record now. */
    synchronized void forget(JobId id) {
        CreatedJob known = jobs.remove(id);
        if (known != null) {
            text -= length(known);
        }
    }

    private static long length(CreatedJob one) {
        return one.length()
                + one.records().stream()
                        .mapToLong(record -> record.body().length())
                        .sum();
    }
}
