// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import org.jobgate.access.Jobs;
import org.jobgate.door.DoorAddresses;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;

/** Finds the job of an address, with its session: one of the caller that came by this door. All others look like one that never was. */
final class OwnJobs {

    private final Jobs jobs;
    private final SessionRecords sessions;
    private final Restarts restarts;

    OwnJobs(Jobs jobs, SessionRecords sessions, Restarts restarts) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.restarts = requireNonNull(restarts, "restarts is null");
    }

    record Found(Job job, Session session) {}

    /** @param call whose path is {@code jobs/ID/...} */
    Found find(ArcCall call) throws ArcRefusal {
        JobId id;
        try {
            id = JobId.parse(call.path().get(1));
        } catch (IllegalArgumentException e) {
            throw ArcRefusal.unknownJob();
        }
        Job job = jobs.find(call.caller(), id)
                .filter(found -> found.key().door().equals(DoorAddresses.ARC))
                .orElseThrow(ArcRefusal::unknownJob);
        Job newest = restarts.newest(call.caller(), job);
        return new Found(newest, sessions.find(newest.id()).orElseThrow(ArcRefusal::unknownJob));
    }
}
