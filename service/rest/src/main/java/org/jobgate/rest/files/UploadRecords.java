// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.job.Job;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;

/**
 * What clients have put into the directories of their jobs: a record of each file, kept and forgotten with the job, so that the limits
 * hold over a restart. A file that is put twice counts once; what the job itself writes does not count.
 */
final class UploadRecords {

    static final String KIND = "rest.upload";

    /** Two uploads for one job are counted one after the other. */
    private static final int LOCKS = 64;

    private final DoorRecords store;
    private final FileDoorSettings.Uploads limits;
    private final Clock clock;
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    UploadRecords(DoorRecords store, FileDoorSettings.Uploads limits, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.clock = requireNonNull(clock, "clock is null");
        Arrays.setAll(locks, i -> new ReentrantLock());
    }

    /**
     * Counts a file with so many bytes, in place of what was counted of it before.
     *
     * @param file its name within the job
     * @throws FileRefusal over a limit; then it is counted as before
     */
    void count(Job job, String file, long bytes) throws FileRefusal {
        if (bytes > limits.fileBytes().value()) {
            throw FileRefusal.tooLarge(bytes, limits.fileBytes());
        }
        ReentrantLock lock = locks[Math.floorMod(job.id().hashCode(), LOCKS)];
        lock.lock();
        try {
            String id = job.id() + " " + file;
            long files = 1;
            long all = bytes;
            for (DoorRecord record : store.recordsOf(KIND, job.id())) {
                if (record.id().equals(id)) {
                    if (Long.parseLong(record.body()) == bytes) {
                        return;
                    }
                } else {
                    files++;
                    all += Long.parseLong(record.body());
                }
            }
            if (files > limits.jobFiles().value()) {
                throw FileRefusal.overQuota(files, "files", limits.jobFiles());
            }
            if (all > limits.jobBytes().value()) {
                throw FileRefusal.overQuota(all, "bytes", limits.jobBytes());
            }
            Writes.await(store.putRecord(
                    new DoorRecord(KIND, id, job.id(), job.owner().subject(), Long.toString(bytes), clock.instant())));
        } finally {
            lock.unlock();
        }
    }

    /** The file is gone. */
    void forget(Job job, String file) {
        Writes.await(store.deleteRecord(KIND, job.id() + " " + file));
    }
}
