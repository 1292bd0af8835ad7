// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.JobId;

/** What front doors and adapters must remember over a restart. Writes complete their future when they are on disk. */
public interface DoorRecords {

    /** Keeps the record, in place of one with the same kind and id. */
    CompletableFuture<Void> putRecord(DoorRecord record);

    /** Forgets the record; answers whether there was one. */
    CompletableFuture<Boolean> deleteRecord(String kind, String id);

    Optional<DoorRecord> findRecord(String kind, String id);

    /** The records of this kind that belong to the job, oldest first. */
    List<DoorRecord> recordsOf(String kind, JobId job);

    /** How many records of this kind there are. */
    long countRecords(String kind);

    /** Records of this kind, ordered by id, after the given id (empty for the first). */
    List<DoorRecord> listRecords(String kind, String afterId, int limit);

    /**
     * The same records as seen by somebody who has these kinds only. The view cannot be made into anything that sees more.
     *
     * @return what throws an {@link IllegalArgumentException} when it is asked about any other kind
     */
    default DoorRecords only(Set<String> kinds) {
        return new RecordsOfKinds(this, kinds);
    }
}
