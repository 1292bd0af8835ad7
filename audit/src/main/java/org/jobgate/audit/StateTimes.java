// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;

/**
 * When jobs came to which state, as the change stream goes by. It remembers a bounded number of jobs that it has seen from their beginning; of
 * others the store is asked, which keeps the changes of each job.
 */
final class StateTimes {

    static final int MOST = 20_000;

    private final JobStore store;
    private final Map<JobId, Map<JobState, Long>> seen = new LinkedHashMap<>();

    StateTimes(JobStore store) {
        this.store = store;
    }

    /** The next change; one that was seen before alters nothing. */
    void see(Change change) {
        Map<JobState, Long> times;
        if (change.from() == null) {
            times = seen.computeIfAbsent(change.job(), job -> new EnumMap<>(JobState.class));
            if (seen.size() > MOST) {
                seen.remove(seen.keySet().iterator().next());
            }
        } else {
            times = seen.get(change.job());
        }
        if (times != null && change.from() != change.to()) {
            times.putIfAbsent(change.to(), change.at().toEpochMilli());
        }
    }

    /** The times of a job that is over; it is forgotten with the next {@link #forget}. */
    Map<JobState, Long> of(JobId job) {
        Map<JobState, Long> times = seen.get(job);
        if (times != null) {
            return times;
        }
        times = new EnumMap<>(JobState.class);
        for (Change change : store.changesOf(job)) {
            if (change.from() != change.to()) {
                times.putIfAbsent(change.to(), change.at().toEpochMilli());
            }
        }
        return times;
    }

    /** What these changes told is on record: jobs that are over come no more. */
    void forget(List<Change> recorded) {
        recorded.stream().filter(change -> change.to().isTerminal()).forEach(change -> seen.remove(change.job()));
    }
}
