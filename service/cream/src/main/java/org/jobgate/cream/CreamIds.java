// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;

/**
 * Ids of jobs as CREAM has them: {@code CREAM} and nine digits. They look like chance and are a count: a thousand numbers at a time are
 * taken for good before the first of them is used, so none comes twice, also after a crash. Beside them lies the name of the
 * database, by which a client learns that its ids and events mean nothing any more.
 */
final class CreamIds {

    static final String KIND = "cream.service";

    private static final String SEQUENCE = "sequence";
    private static final String DATABASE = "database";
    private static final long BLOCK = 1_000;
    private static final long ALL = 1_000_000_000L;

    /** Odd and no multiple of 5: times it, modulo {@link #ALL}, each number of nine digits comes once. */
    private static final long FACTOR = 387_420_489L;

    private static final long OFFSET = 100_000_007L;

    private final DoorRecords records;
    private final Clock clock;
    private long next;
    private long end;

    CreamIds(DoorRecords records, Clock clock) {
        this.records = requireNonNull(records, "records is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** An id that was never given and never will be again. */
    synchronized String mint() {
        if (next == end) {
            takeBlock();
        }
        return id(next++);
    }

    private void takeBlock() {
        long taken = records.findRecord(KIND, SEQUENCE)
                .map(record -> Long.parseLong(record.body()))
                .orElse(0L);
        if (taken + BLOCK > ALL) {
            throw new FaultException(Fault.of(
                    FaultCode.INTERNAL,
                    "All ids of nine digits were given to jobs.",
                    "Use another door of this gateway; tell the site's administrator."));
        }
        Writes.await(records.putRecord(
                new DoorRecord(KIND, SEQUENCE, null, null, Long.toString(taken + BLOCK), clock.instant())));
        next = taken;
        end = taken + BLOCK;
    }

    static String id(long number) {
        return String.format(Locale.ROOT, "CREAM%09d", (number * FACTOR + OFFSET) % ALL);
    }

    /** The last part of what a client names a job by: an id, or the URL that ends with it. */
    static Optional<String> read(String text) {
        String id = text.strip();
        id = id.substring(id.lastIndexOf('/') + 1);
        return id.matches("CREAM[0-9]{9}") ? Optional.of(id) : Optional.empty();
    }

    /** The name of the database: another one after the store was made anew. */
    synchronized String database() {
        return records.findRecord(KIND, DATABASE).map(DoorRecord::body).orElseGet(() -> {
            String name = UUID.randomUUID().toString();
            Writes.await(records.putRecord(new DoorRecord(KIND, DATABASE, null, null, name, clock.instant())));
            return name;
        });
    }
}
