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

    /**
     * A job's file, and the credential it comes from.
     *
     * @param path where it lies; empty until it was written
     */
    record Placed(JobId job, String owner, String key, String account, String lrm, String path) {}

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
        String[] parts = record.body().split("\n", 4);
        if (parts.length < 3) {
            throw new IllegalStateException("the record " + record.id() + " of kind " + KIND + " is not ours");
        }
        String path = parts.length == 4 ? parts[3] : ""; // the first version wrote no path
        return new Placed(JobId.parse(record.id()), String.valueOf(record.owner()), parts[0], parts[1], parts[2], path);
    }

    /** The job is about to have one. */
    void put(Job job, String key) {
        Placed before = byJob.get(job.id());
        String path = before == null ? "" : before.path();
        keep(new Placed(job.id(), job.owner().subject(), key, job.owner().account(), job.lrm(), path));
    }

    /** The job's file was written there. */
    void lies(JobId job, String path) {
        of(job).ifPresent(placed ->
                keep(new Placed(job, placed.owner(), placed.key(), placed.account(), placed.lrm(), path)));
    }

    private void keep(Placed placed) {
        JobId job = placed.job();
        if (placed.equals(byJob.get(job))) {
            return;
        }
        String body = String.join("\n", placed.key(), placed.account(), placed.lrm(), placed.path());
        store.putRecord(new DoorRecord(KIND, job.toString(), job, placed.owner(), body, clock.instant()))
                .join();
        byJob.put(job, placed);
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
