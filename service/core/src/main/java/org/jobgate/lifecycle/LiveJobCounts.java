// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.util.HashMap;
import java.util.Map;
import org.jobgate.limits.JobLimits;

/**
 * How many live jobs there are, in all and of each subject, so that the limits cost no query. Threads may call at once.
 *
 * <p>A place is reserved before the job is stored and given back if it was not; so the limits hold whatever comes at once.
 */
final class LiveJobCounts {

    private final JobLimits limits;
    private final Map<String, Long> bySubject = new HashMap<>();
    private long total;

    LiveJobCounts(JobLimits limits) {
        this.limits = limits;
    }

    synchronized void load(Map<String, Long> counts) {
        bySubject.clear();
        bySubject.putAll(counts);
        total = counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Takes a place, or throws the refusal of the limit that forbids it. */
    synchronized void reserve(String subject) {
        long ofSubject = bySubject.getOrDefault(subject, 0L) + 1;
        limits.liveJobs().check(total + 1, "live jobs in the service");
        limits.liveJobsPerOwner().check(ofSubject, "live jobs of " + subject);
        bySubject.put(subject, ofSubject);
        total++;
    }

    synchronized void release(String subject) {
        Long ofSubject = bySubject.get(subject);
        if (ofSubject == null) {
            return;
        }
        total--;
        if (ofSubject <= 1) {
            bySubject.remove(subject);
        } else {
            bySubject.put(subject, ofSubject - 1);
        }
    }

    synchronized long total() {
        return total;
    }
}
