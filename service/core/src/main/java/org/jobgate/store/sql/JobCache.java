// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that were asked for last, as they are in the database: clients ask for the same job again and again, and the question costs a tenth of an
 * answer. It must be told of each transaction before it is committed: from then until it is over its jobs are read from the database alone, so that
 * nobody sees a job as it was before after somebody has seen it as it is now, and a job that was read before the commit is not kept after it. Only for a database into
 * which nobody else writes. Safe for many threads.
 */
final class JobCache {

    private final int most;

    /** The one that was asked for longest ago is first. */
    private final LinkedHashMap<JobId, Job> jobs = new LinkedHashMap<>(16, 0.75f, true);

    private final Set<JobId> changing = new HashSet<>();

    /** Those that are being read, and may be kept if no transaction with them begins to be committed meanwhile. */
    private final Map<JobId, Object> reading = new HashMap<>();

    /** @param most so many jobs are kept; 0: none */
    JobCache(int most) {
        this.most = most;
    }

    /** The job as it is; null where there is none. */
    @Nullable
    Job find(JobId id, Supplier<@Nullable Job> database) {
        Object ticket;
        synchronized (this) {
            Job known = jobs.get(id);
            if (known != null) {
                return known;
            }
            if (most == 0 || changing.contains(id)) {
                ticket = null;
            } else {
                ticket = reading.computeIfAbsent(id, key -> new Object());
            }
        }
        if (ticket == null) {
            return database.get();
        }
        Job read = null;
        try {
            read = database.get();
        } finally {
            keep(id, read, ticket);
        }
        return read;
    }

    private synchronized void keep(JobId id, @Nullable Job read, Object ticket) {
        if (!reading.remove(id, ticket) || read == null) {
            return;
        }
        jobs.put(id, read);
        if (jobs.size() > most) {
            jobs.pollFirstEntry();
        }
    }

    /** A transaction with these jobs is about to be committed. */
    synchronized void begin(Collection<JobId> ids) {
        changing.addAll(ids);
        ids.forEach(reading::remove);
        ids.forEach(jobs::remove);
    }

    /** It is committed, or undone. */
    synchronized void end() {
        changing.clear();
    }

    /** Forgets all: what is in the database is not known for sure. */
    synchronized void clear() {
        changing.clear();
        reading.clear();
        jobs.clear();
    }

    /** How many are kept. */
    synchronized int size() {
        return jobs.size();
    }
}
