// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which job is meant by which id, and what else is kept with it: a record of each job, stored with it and forgotten with it. The text of its
 * description, which may be long, has a record of its own, so that naming or listing many jobs loads none of their texts.
 */
final class JobBook {

    static final String KIND = "cream.job";

    /** The kind of the records that hold the descriptions as they came. */
    static final String JDL = "cream.jdl";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int REMEMBERED = 20_000;

    private final DoorRecords records;

    /** The last that were asked for, so that lists of jobs cost no query each. Guarded by itself. */
    private final Map<JobId, CreamJob> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, CreamJob> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Counts the writes that begin and end, so that what was read before one is not remembered after it. Guarded by {@link #known}. */
    private long writes;

    JobBook(DoorRecords records) {
        this.records = requireNonNull(records, "records is null");
    }

    /** What is to be stored with the job, its description among it. */
    List<DoorRecord> records(CreamJob job, String jdl) {
        return List.of(record(job), new DoorRecord(JDL, job.id(), job.job(), job.owner(), jdl, job.registered()));
    }

    /** The job's description as it came. */
    String jdl(CreamJob job) {
        return records.findRecord(JDL, job.id()).map(DoorRecord::body).orElse("");
    }

    private static DoorRecord record(CreamJob job) {
        ObjectNode body = JSON.createObjectNode();
        put(body, "delegation", job.delegation());
        put(body, "lease", job.lease());
        body.put("directory", job.directory());
        put(body, "gridJob", job.gridJob());
        body.put("startsAlone", job.startsAlone());
        body.put("boundsOutput", job.boundsOutput());
        return new DoorRecord(KIND, job.id(), job.job(), job.owner(), body.toString(), job.registered());
    }

    private static void put(ObjectNode body, String name, @Nullable String value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    /** The job of this id, whoever owns it. */
    Optional<CreamJob> find(String id) {
        return records.findRecord(KIND, id).map(JobBook::read);
    }

    /** What is kept with the job; empty where it did not come by this door. */
    Optional<CreamJob> of(JobId job) {
        long seen;
        synchronized (known) {
            CreamJob before = known.get(job);
            if (before != null) {
                return Optional.of(before);
            }
            seen = writes;
        }
        Optional<CreamJob> found =
                records.recordsOf(KIND, job).stream().findFirst().map(JobBook::read);
        synchronized (known) {
            if (seen == writes) {
                found.ifPresent(read -> known.put(job, read));
            }
        }
        return found;
    }

    /** Keeps it in place of what was kept. */
    CompletableFuture<Void> put(CreamJob job) {
        synchronized (known) {
            writes++;
            known.remove(job.job());
        }
        return records.putRecord(record(job)).thenRun(() -> {
            synchronized (known) {
                writes++;
                known.remove(job.job());
            }
        });
    }

    void forget(JobId job) {
        synchronized (known) {
            writes++;
            known.remove(job);
        }
    }

    /** All jobs of this door, page by page in the order of their ids. */
    List<CreamJob> page(String after, int limit) {
        return records.listRecords(KIND, after, limit).stream()
                .map(JobBook::read)
                .toList();
    }

    private static CreamJob read(DoorRecord record) {
        JsonNode body = JSON.readTree(record.body());
        return new CreamJob(
                record.id(),
                requireNonNull(record.job(), "a record of kind " + KIND + " belongs to no job"),
                requireNonNull(record.owner(), "a record of kind " + KIND + " has no owner"),
                text(body, "delegation"),
                text(body, "lease"),
                body.path("directory").asString(),
                text(body, "gridJob"),
                body.path("startsAlone").asBoolean(),
                body.path("boundsOutput").asBoolean(),
                record.created());
    }

    private static @Nullable String text(JsonNode body, String name) {
        JsonNode value = body.get(name);
        return value == null || value.isNull() ? null : value.asString();
    }
}
