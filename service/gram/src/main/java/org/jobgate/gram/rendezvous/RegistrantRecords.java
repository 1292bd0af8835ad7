// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.store.DoorRecord;

/** Registrants as the store keeps them: rank, fingerprint of the message and the bytes in Base64, with spaces between. */
final class RegistrantRecords {

    static final String KIND = "gram.rendezvous.registrant";

    private static final int PARTS = 3;

    private RegistrantRecords() {}

    /**
     * A kept registrant.
     *
     * @param message fingerprint of the message that registered it
     * @param encoded the bytes that it left, in Base64
     */
    record Kept(int rank, String message, String encoded) {

        /** The bytes that it left. */
        byte[] data() {
            return Base64.getDecoder().decode(encoded);
        }

        Place place() {
            byte[] data = data();
            Mark mark = new Mark(Mark.of(data, null).data(), message);
            return new Place(rank, mark, data.length, CompletableFuture.completedFuture(null));
        }
    }

    static DoorRecord write(Job job, int rank, Registration registration, Instant now) {
        String data = Base64.getEncoder().encodeToString(registration.data());
        return new DoorRecord(
                KIND,
                job.id() + "/" + rank,
                job.id(),
                job.owner().subject(),
                rank + " " + registration.mark().message() + " " + data,
                now);
    }

    static Kept read(DoorRecord record) {
        String[] parts = record.body().split(" ", -1);
        if (parts.length != PARTS) {
            throw new IllegalStateException("the registrant " + record.id() + " has " + parts.length + " parts");
        }
        try {
            return new Kept(Integer.parseInt(parts[0]), parts[1], parts[2]);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("the registrant " + record.id() + " has no rank", e);
        }
    }
}
