// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The service's own name of a job: a UUID of version 7 (RFC 9562 section 5.7), so that jobs created near in time lie near in the
 * store. Also the tag that every job carries inside the LRM.
 */
public record JobId(UUID value) {

    /** The last one that fits into the 48 bits that a UUID has for milliseconds. */
    private static final long LAST_SECOND = (1L << 48) / 1_000 - 1;

    public JobId {
        requireNonNull(value, "value is null");
    }

    /** A new id of this moment. */
    public static JobId create(Clock clock, RandomGenerator random) {
        long millis = clock.millis();
        long high = (millis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /**
     * A new id of this moment with a mark of 74 bits, so that a program that makes the same mark again can recognise the ids that have it.
     *
     * @param mark at least ten bytes; those behind are not used
     */
    public static JobId marked(Clock clock, byte[] mark) {
        ByteBuffer bits = ByteBuffer.wrap(mark);
        long low = (bits.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new JobId(new UUID((clock.millis() << 16) | 0x7000L | (bits.getShort() & 0x0FFFL), low));
    }

    /** Whether both have the same mark, whenever they were made. */
    public boolean isMarkedAs(JobId other) {
        return value.getLeastSignificantBits() == other.value.getLeastSignificantBits()
                && (value.getMostSignificantBits() & 0x0FFFL) == (other.value.getMostSignificantBits() & 0x0FFFL);
    }

    /** When it was made, to the millisecond. */
    public Instant made() {
        return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
    }

    /** The least id that a job of this moment, to the millisecond, can have; one before 1970 is taken as then. */
    public static JobId least(Instant moment) {
        long millis =
                Math.min(Math.max(moment.getEpochSecond(), 0), LAST_SECOND) * 1_000 + moment.getNano() / 1_000_000;
        return new JobId(new UUID((millis << 16) | 0x7000L, 0x8000_0000_0000_0000L));
    }

    /**
     * Reads the 36 character text form, in either case.
     *
     * @throws IllegalArgumentException if the text is not a UUID in its full form
     */
    public static JobId parse(String text) {
        if (text.length() != 36) {
            throw new IllegalArgumentException("not a job id (a UUID has 36 characters): " + abbreviate(text));
        }
        return new JobId(UUID.fromString(text));
    }

    private static String abbreviate(String text) {
        return ShortText.of(text, 60);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
