// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One link of the chain: something that became of a job.
 *
 * @param number its place in the chain, from 1, without gaps
 * @param change the change of the job stream that it records
 * @param job the id of the job
 * @param at when it happened, in milliseconds since 1970
 * @param body what is known of it, a JSON object as it was written
 * @param hash SHA-256 in hexadecimal digits over the hash before it and all of the above
 */
record AuditEntry(long number, long change, String job, long at, Kind kind, String body, String hash) {

    /** The hash before the first entry. */
    static final String BEGINNING = "0".repeat(64);

    AuditEntry {
        requireNonNull(job, "job is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(body, "body is null");
        requireNonNull(hash, "hash is null");
    }

    /** What became of the job. */
    enum Kind {
        /** It was stored, and its client was told so. */
        CREATED,
        /** The LRM accepted it. */
        QUEUED,
        /** It is over. */
        ENDED,
        /** Its LRM's accounting has told what it used. */
        USED,
        /** All that was known of it, in place of entries that were taken off the beginning of the chain. */
        CARRIED,
        /** An administrator has done something; of no job's row. */
        ACT,
        /** Where the chain begins since entries were taken off; of no job's row. */
        PURGED;

        /** Whether no row of a job is made of it. */
        boolean isOfNoJob() {
            return this == ACT || this == PURGED;
        }
    }

    /** A new link behind the one with this hash. */
    static AuditEntry after(String before, long number, long change, String job, long at, Kind kind, String body) {
        return new AuditEntry(number, change, job, at, kind, body, hash(before, number, change, job, at, kind, body));
    }

    /** Whether nothing of it was changed since it was written behind the entry with this hash. */
    boolean follows(String before) {
        return hash.equals(hash(before, number, change, job, at, kind, body));
    }

    private static String hash(String before, long number, long change, String job, long at, Kind kind, String body) {
        // a line feed stands in none of the first parts, so no two entries give the same text
        String text = String.join(
                "\n", before, Long.toString(number), Long.toString(change), job, Long.toString(at), kind.name(), body);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
