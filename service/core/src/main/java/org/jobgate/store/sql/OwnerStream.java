// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;

/** The change stream as one owner sees it: from memory near its end, else from the database, part by part. */
final class OwnerStream {

    /** One query looks through so many changes of the stream, of all owners. */
    private static final int PART = 10_000;

    private final ChangeRing ring;
    private final JobReads reads;

    OwnerStream(ChangeRing ring, JobReads reads) {
        this.ring = ring;
        this.reads = reads;
    }

    OwnerChanges after(String subject, long cursor, int limit) {
        long last = ring.last();
        if (cursor > last) {
            throw expired(cursor, "The service's stream of changes ends at " + last + ".");
        }
        Optional<OwnerChanges> recent = ring.ofOwner(subject, cursor, limit);
        return recent.isPresent() ? recent.get() : stored(subject, cursor, limit);
    }

    private OwnerChanges stored(String subject, long cursor, int limit) {
        long partEnd = reads.row(
                        ChangeRows.PART,
                        statement -> {
                            statement.setLong(1, cursor);
                            statement.setInt(2, PART);
                        },
                        row -> row.getLong(1))
                .orElse(0L);
        List<Change> changes = reads.rows(
                ChangeRows.OF_OWNER,
                statement -> {
                    statement.setLong(1, cursor);
                    statement.setLong(2, partEnd);
                    statement.setString(3, subject);
                    statement.setInt(4, limit);
                },
                ChangeRows::read);
        // last: what a purge takes away while this reads is missed here, and told by this number
        long purged = reads.number(StoreNumbers.READ, Purge.PURGED);
        if (cursor < purged) {
            throw expired(cursor, "Changes up to " + purged + " may have been forgotten with their jobs.");
        }
        boolean isCut = changes.size() == limit;
        return new OwnerChanges(changes, isCut ? changes.getLast().sequence() : Math.max(cursor, partEnd), false);
    }

    private static FaultException expired(long cursor, String because) {
        return new FaultException(Fault.of(
                FaultCode.CURSOR_EXPIRED,
                "The changes after " + cursor + " cannot be told without a gap. " + because,
                "List the jobs again, and follow their changes from the end of the stream."));
    }
}
