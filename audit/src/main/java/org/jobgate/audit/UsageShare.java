// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jobgate.audit.usage.Apel;
import org.jspecify.annotations.Nullable;

/**
 * What one job adds to the sums.
 *
 * @param key the sum that it belongs to
 * @param isUnmeasured whether it ran, and its processor time is not known
 */
record UsageShare(Key key, boolean isUnmeasured, double wallMillis, double slotMillis, double cpuMillis, long ended) {

    static final long DAY = 86_400_000;

    /** Milliseconds above which one job's use is not believed: a million years of one processor's time are no job. */
    static final double MOST = 4e15;

    /**
     * What jobs of one sum have in common; the empty text stands for what is not known.
     *
     * @param day of their ends, in UTC, days since 1970
     * @param isKept whether their rows were taken out
     */
    record Key(
            long day,
            String subject,
            String account,
            String lrm,
            String door,
            String queue,
            String vo,
            String fqan,
            String outcome,
            String fault,
            long slots,
            boolean isKept) {

        /** A name for all of it that has always the same length. */
        String id() {
            StringBuilder text = new StringBuilder();
            text.append(day).append('\n').append(slots).append('\n').append(isKept);
            // with their lengths, so that no two keys give the same text
            for (String part : texts()) {
                text.append('\n').append(part.length()).append(' ').append(part);
            }
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256")
                                .digest(text.toString().getBytes(StandardCharsets.UTF_8)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Its texts, in their order. */
        List<String> texts() {
            return List.of(subject, account, lrm, door, queue, vo, fqan, outcome, fault);
        }

        /** Its month, such as 2026-11. */
        String month() {
            return monthOf(day);
        }

        /** The same of rows that were taken out, under other names. */
        Key kept(String newSubject, String newAccount) {
            return new Key(day, newSubject, newAccount, lrm, door, queue, vo, fqan, outcome, fault, slots, true);
        }
    }

    static String monthOf(long day) {
        return YearMonth.from(LocalDate.ofEpochDay(day)).toString();
    }

    /** Reads a row, given by the names of its columns; absent while the job is not over. */
    static @Nullable UsageShare of(Map<String, Object> row) {
        if (!(row.get("ended") instanceof Number ended)) {
            return null;
        }
        long slots = Math.max(1, number(row, "slots"));
        double wall = bounded((double) number(row, "wall_ms"));
        String fqan = Apel.primary((String) row.get("fqans"));
        return new UsageShare(
                new Key(
                        ended.longValue() / DAY,
                        text(row, "subject"),
                        text(row, "account"),
                        text(row, "lrm"),
                        text(row, "door"),
                        text(row, "queue"),
                        text(row, "vo"),
                        fqan == null ? "" : fqan,
                        text(row, "outcome"),
                        text(row, "fault"),
                        slots,
                        false),
                !row.containsKey("cpu_ms") && number(row, "wall_ms") > 0,
                wall,
                bounded(wall * slots),
                bounded((double) number(row, "cpu_ms")),
                ended.longValue());
    }

    private static double bounded(double millis) {
        return Math.max(0, Math.min(millis, MOST));
    }

    private static long number(Map<String, Object> row, String name) {
        return row.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static String text(Map<String, Object> row, String name) {
        Object value = row.get(name);
        return value == null ? "" : value.toString();
    }
}
