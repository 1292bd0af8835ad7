// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/**
 * Which jobs have a credential file. Written down before the file is, and forgotten after it is deleted, so that no crash leaves a
 * file behind that nobody knows of.
 */
final class PlacedFiles {

    static final String KIND = "delegation.placed";
    private static final int PAGE = 500;

    private final JobStore store;
    private final Clock clock;
    private final Map<JobId, Placed> byJob = new ConcurrentHashMap<>();

    /** A job's file, and the credential it comes from. */
    record Placed(JobId job, String owner, String key, String account, String lrm) {}

    PlacedFiles(JobStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Reads what there is. */
    void read(Consumer<Placed> each) {
        String after = "";
        while (true) {
            List<DoorRecord> page = store.listRecords(KIND, after, PAGE);
            for (DoorRecord record : page) {
                Placed placed = placed(record);
                byJob.put(placed.job(), placed);
                each.accept(placed);
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    private static Placed placed(DoorRecord record) {
        String[] parts = record.body().split("\n", 3);
        if (parts.length != 3) {
            throw new IllegalStateException("the record " + record.id() + " of kind " + KIND + " is not ours");
        }
        return new Placed(JobId.parse(record.id()), String.valueOf(record.owner()), parts[0], parts[1], parts[2]);
    }

    /** The job is about to have one. */
    void put(Job job, String key) {
        Placed placed =
                new Placed(job.id(), job.owner().subject(), key, job.owner().account(), job.lrm());
        if (placed.equals(byJob.get(job.id()))) {
            return;
        }
        String body = String.join("\n", key, placed.account(), placed.lrm());
        store.putRecord(new DoorRecord(KIND, job.id().toString(), job.id(), placed.owner(), body, clock.instant()))
                .join();
        byJob.put(job.id(), placed);
    }

    Optional<Placed> of(JobId job) {
        return Optional.ofNullable(byJob.get(job));
    }

    /** Those whose file comes from this credential. */
    List<Placed> from(String owner, String key) {
        return byJob.values().stream()
                .filter(placed -> placed.key().equals(key) && placed.owner().equals(owner))
                .toList();
    }

    /** The file is deleted. */
    void remove(JobId job) {
        store.deleteRecord(KIND, job.toString()).join();
        byJob.remove(job);
    }
}
