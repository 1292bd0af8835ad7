// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.Writes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The records of transfers in the store. They are forgotten with their job. What is put is on disk when the call returns. */
final class TransferRecords {

    static final String KIND = "transfer";
    private static final int NAME_BYTES = 12;

    private final JobStore store;
    private final Clock clock;
    private final JsonMapper mapper = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    TransferRecords(JobStore store, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Where the request's task of this place is remembered. */
    static String id(TransferRequest request, int place) {
        return request.id() + "/" + place;
    }

    /** Where something in a directory of the request is remembered. */
    static String id(TransferRequest request, URI destination) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256")
                    .digest(destination.toString().getBytes(StandardCharsets.UTF_8));
            return request.id() + "/" + HexFormat.of().formatHex(whole, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Those of a job, by the transfers' ids. */
    Map<String, TransferRecord> of(JobId job) {
        Map<String, TransferRecord> records = new HashMap<>();
        store.recordsOf(KIND, job).forEach(record -> records.put(record.id(), read(record)));
        return records;
    }

    private TransferRecord read(DoorRecord record) {
        try {
            return mapper.readValue(record.body(), TransferRecord.class);
        } catch (JacksonException e) {
            throw new IllegalStateException("the record of the transfer " + record.id() + " is damaged", e);
        }
    }

    void put(TransferRequest request, String id, TransferRecord record) {
        DoorRecord written = new DoorRecord(
                KIND, id, request.job(), request.owner(), mapper.writeValueAsString(record), clock.instant());
        Writes.await(store.putRecord(written));
    }

    /** Forgets those of a job; returns when that is on disk. */
    void forget(JobId job) {
        List<CompletableFuture<Boolean>> all = store.recordsOf(KIND, job).stream()
                .map(record -> store.deleteRecord(KIND, record.id()))
                .toList();
        all.forEach(Writes::await);
    }
}
