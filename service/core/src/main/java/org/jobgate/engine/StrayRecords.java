// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.LrmSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that were refused because they speak of a job in which their source has no say: counted by LRM, and logged once in {@link #QUIET}
 * for each source, with how many there were in between. Of sources there are as many as there are accounts with jobs.
 */
final class StrayRecords {

    static final Duration QUIET = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(StrayRecords.class);

    private static final class Tally {
        private Instant logged = Instant.MIN;
        private long unlogged;
    }

    private final Clock clock;
    private final Map<String, Long> counts = new HashMap<>();
    private final Map<LrmSource, Tally> tallies = new HashMap<>();

    StrayRecords(Clock clock) {
        this.clock = clock;
    }

    void refused(LrmSource source, JobId job, String why) {
        long more;
        synchronized (this) {
            counts.merge(source.lrm(), 1L, Long::sum);
            Tally tally = tallies.computeIfAbsent(source, key -> new Tally());
            Instant now = clock.instant();
            if (now.isBefore(tally.logged.plus(QUIET))) {
                tally.unlogged++;
                return;
            }
            tally.logged = now;
            more = tally.unlogged;
            tally.unlogged = 0;
        }
        LoggedJob.says(
                job,
                () -> LOG.warn(
                        "A record from {} speaks of job {} and is refused: {}.{} Where the account is not of two LRMs or"
                                + " gateways with one spool, somebody has written the record by hand",
                        source,
                        job,
                        why,
                        more == 0 ? "" : " " + more + " more were refused since the last that was logged."));
    }

    /** How many there were of the LRM since the start. */
    synchronized long of(String lrm) {
        return counts.getOrDefault(lrm, 0L);
    }
}
