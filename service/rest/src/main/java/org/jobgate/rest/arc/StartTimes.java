// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends jobs that have not started by the time that their descriptions say (ExpirationTime of ADL): a second after it at the latest, where the service runs. */
final class StartTimes {

    private static final Logger LOG = LoggerFactory.getLogger(StartTimes.class);

    private final Access access;
    private final Jobs jobs;
    private final SessionRecords records;
    private final Clock clock;
    private final ConcurrentHashMap<JobId, Due> watched = new ConcurrentHashMap<>();

    private record Due(String subject, long time) {}

    StartTimes(Access access, Jobs jobs, SessionRecords records, Clock clock) {
        this.access = requireNonNull(access, "access is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.records = requireNonNull(records, "records is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Looks at the job when its time has come; one without such a time, or that has started or is over, is not looked at. */
    void watch(Job job, Session session) {
        Long time = session.startBefore();
        if (time == null || hasStarted(job)) {
            watched.remove(job.id());
        } else {
            watched.put(job.id(), new Due(job.owner().subject(), time));
        }
    }

    /** The job is gone, or another attempt has taken its place. */
    void forget(JobId job) {
        watched.remove(job);
    }

    /** How many jobs are remembered here. */
    int remembered() {
        return watched.size();
    }

    /** Ends those whose time is over. It acts for the owner, so the site's policy about that owner holds. */
    void endLate() {
        long now = clock.instant().getEpochSecond();
        watched.forEach((id, due) -> {
            if (now > due.time()) {
                watched.remove(id);
                end(id, due);
            }
        });
    }

    private void end(JobId id, Due due) {
        try {
            Caller owner = access.caller(new Identity(due.subject(), "owner", false));
            Optional<Job> job = jobs.find(owner, id).filter(found -> !hasStarted(found));
            Optional<Session> session = records.find(id);
            if (job.isEmpty() || session.isEmpty()) {
                return;
            }
            String sentence = "The job did not start before " + Instant.ofEpochSecond(due.time())
                    + " (ExpirationTime), so it was ended. Submit it again with a later time, or without one.";
            records.replace(id, due.subject(), session.get().tooLate(sentence));
            jobs.cancel(owner, id);
        } catch (FaultException e) {
            // the next sweep has it watched again
            LOG.info("The job {}, which has not started in time, cannot be ended now: {}", id, Reason.of(e));
        }
    }

    private static boolean hasStarted(Job job) {
        return job.started() != null || job.state().isTerminal();
    }
}
