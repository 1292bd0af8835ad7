// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.JobId;

/** Records of some kinds only. */
final class RecordsOfKinds implements DoorRecords {

    private final DoorRecords all;
    private final Set<String> kinds;

    RecordsOfKinds(DoorRecords all, Set<String> kinds) {
        this.all = requireNonNull(all, "all is null");
        this.kinds = Set.copyOf(kinds);
    }

    @Override
    public CompletableFuture<Void> putRecord(DoorRecord record) {
        return of(record.kind()).putRecord(record);
    }

    @Override
    public CompletableFuture<Boolean> deleteRecord(String kind, String id) {
        return of(kind).deleteRecord(kind, id);
    }

    @Override
    public Optional<DoorRecord> findRecord(String kind, String id) {
        return of(kind).findRecord(kind, id);
    }

    @Override
    public List<DoorRecord> recordsOf(String kind, JobId job) {
        return of(kind).recordsOf(kind, job);
    }

    @Override
    public long countRecords(String kind) {
        return of(kind).countRecords(kind);
    }

    @Override
    public List<DoorRecord> listRecords(String kind, String afterId, int limit) {
        return of(kind).listRecords(kind, afterId, limit);
    }

    private DoorRecords of(String kind) {
        if (!kinds.contains(kind)) {
            throw new IllegalArgumentException(
                    "records of the kind " + kind + " are not among those of this view: " + kinds);
        }
        return all;
    }
}
