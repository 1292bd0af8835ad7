// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Credentials that are to be destroyed when a job is over, as its owner said. Written down until it is done, so that no crash keeps one
 * alive.
 */
final class CredentialsToDestroy {

    static final String KIND = "delegation.toDestroy";

    private static final Logger LOG = LoggerFactory.getLogger(CredentialsToDestroy.class);
    private static final int PAGE = 500;

    private final Vault vault;
    private final JobStore store;
    private final Clock clock;
    private final Map<JobId, Wanted> wanted = new ConcurrentHashMap<>();

    private record Wanted(String owner, List<String> keys) {}

    CredentialsToDestroy(Vault vault, JobStore store, Clock clock) {
        this.vault = vault;
        this.store = store;
        this.clock = clock;
    }

    /** Reads what an earlier run of the service has left. */
    void takeUp() {
        String after = "";
        while (true) {
            List<DoorRecord> page = store.listRecords(KIND, after, PAGE);
            for (DoorRecord record : page) {
                List<String> keys = List.of(record.body().split("\n", -1));
                wanted.put(JobId.parse(record.id()), new Wanted(String.valueOf(record.owner()), keys));
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    /** Destroys them when the job is over; on disk when this returns. */
    void put(Job job, Set<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        String owner = job.owner().subject();
        // it belongs to no job for the store: it is not to be purged with one before it is done
        store.putRecord(new DoorRecord(
                        KIND, job.id().toString(), null, owner, String.join("\n", keys), clock.instant()))
                .join();
        wanted.put(job.id(), new Wanted(owner, List.copyOf(keys)));
    }

    /** Destroys those whose jobs are over by now. */
    void sweep() {
        for (JobId job : Set.copyOf(wanted.keySet())) {
            if (store.find(job).map(found -> found.state().isTerminal()).orElse(true)) {
                destroy(job);
            }
        }
    }

    private void destroy(JobId job) {
        Wanted all = wanted.get(job);
        if (all == null) {
            return;
        }
        for (String key : all.keys()) {
            if (vault.destroy(all.owner(), key)) {
                LoggedJob.says(
                        job,
                        () -> LOG.info("Destroyed the credential {} with the job {}, as its owner said", key, job));
            }
        }
        store.deleteRecord(KIND, job.toString()).join();
        wanted.remove(job);
    }
}
