// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** How single values lie in columns, the same in both databases. */
final class Values {

    private Values() {}

    static byte[] bytes(JobId id) {
        UUID value = id.value();
        return ByteBuffer.allocate(16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
    }

    static JobId jobId(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new JobId(new UUID(buffer.getLong(), buffer.getLong()));
    }

    /** What of the time the store keeps. */
    static Instant stored(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    static @Nullable Instant storedOrNull(@Nullable Instant time) {
        return time == null ? null : stored(time);
    }

    /** Microseconds since 1970; a time beyond the year 290,000 fails its write. */
    static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }

    static void setTime(PreparedStatement statement, int index, @Nullable Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, micros(time));
        }
    }

    static void setId(PreparedStatement statement, int index, @Nullable JobId id) throws SQLException {
        statement.setBytes(index, id == null ? null : bytes(id));
    }

    static void setName(PreparedStatement statement, int index, @Nullable Enum<?> value) throws SQLException {
        statement.setString(index, value == null ? null : value.name());
    }

    static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : instant(micros);
    }

    static void setSeconds(PreparedStatement statement, int index, @Nullable Duration time) throws SQLException {
        if (time == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, time.toSeconds());
        }
    }

    static @Nullable Duration seconds(ResultSet row, int column) throws SQLException {
        long seconds = row.getLong(column);
        return row.wasNull() ? null : Duration.ofSeconds(seconds);
    }

    static @Nullable JobState state(@Nullable String name) {
        return name == null ? null : JobState.valueOf(name);
    }

    /**
     * The text without what PostgreSQL cannot hold: NUL and halves of surrogate pairs become U+FFFD. For texts that are for people;
     * an LRM's message must not stop its job.
     */
    static @Nullable String readable(@Nullable String text) {
        if (text == null || !isUnstorable(text)) {
            return text;
        }
        return text.codePoints()
                .map(point -> isUnstorable(point) ? 0xFFFD : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * Refuses a text that the database would change or refuse.
     *
     * @throws IllegalArgumentException naming the text
     */
    static void requireStorable(String text, String name) {
        if (isUnstorable(text)) {
            throw new IllegalArgumentException(name + " holds a NUL character or half of a surrogate pair");
        }
    }

    /** Whether the text holds a NUL character or half of a surrogate pair. */
    static boolean isUnstorable(String text) {
        int next;
        for (int i = 0; i < text.length(); i = next) {
            int codePoint = text.codePointAt(i);
            next = i + Character.charCount(codePoint);
            if (isUnstorable(codePoint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnstorable(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
