// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/** {@code xsd:dateTime}, both ways. */
public final class Times {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final String PLAIN = "0000-00-00T00:00:00";
    private static final int SECONDS_END = PLAIN.length();
    private static final int MOST_DIGITS = 9;

    private Times() {}

    /** The time in UTC, to the millisecond, as GT4 writes it. */
    public static String format(Instant time) {
        // lists of jobs hold tens of thousands of them: by the formatter they cost a seventh of all
        return time.isBefore(EARLIEST) || time.isAfter(LATEST)
                ? FORMAT.format(time)
                : formatFourDigitYear(
                        LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC));
    }

    private static String formatFourDigitYear(LocalDateTime time) {
        char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
        digits(text, 4, time.getYear());
        digits(text, 7, time.getMonthValue());
        digits(text, 10, time.getDayOfMonth());
        digits(text, 13, time.getHour());
        digits(text, 16, time.getMinute());
        digits(text, 19, time.getSecond());
        digits(text, 23, time.getNano() / 1_000_000);
        return new String(text);
    }

    /** Writes a number so that it ends before this place. */
    private static void digits(char[] text, int end, int number) {
        int place = end;
        for (int rest = number; rest > 0; rest /= 10) {
            text[--place] = (char) ('0' + rest % 10);
        }
    }

    public static @Nullable String formatNullable(@Nullable Instant time) {
        return time == null ? null : format(time);
    }

    /**
     * Reads a time; one without a zone is taken as UTC.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Instant parse(String text) {
        String value = text.strip();
        try {
            LocalDateTime plain = plain(value);
            return storable(
                    plain != null
                            ? plain.toInstant(ZoneOffset.UTC)
                            : hasZone(value)
                                    ? OffsetDateTime.parse(value).toInstant()
                                    : LocalDateTime.parse(value).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "not a time of the form 2026-11-20T14:55:54.178Z: '" + abbreviate(value) + "'", e);
        }
    }

    /**
     * Reads a time, or a duration that begins now, which WS-Notification 1.3 allows.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Instant parse(String text, Instant now) {
        String value = text.strip();
        if (!value.startsWith("P")) {
            return parse(value);
        }
        try {
            return storable(now.plus(Duration.parse(value)));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "not a duration of days, hours, minutes and seconds such as PT24H: '" + abbreviate(value) + "'", e);
        }
    }

    /**
     * A time in the form that nearly all clients write, e.g. {@code 2026-11-20T14:55:54.178Z}: one stands in each submission, and the reader for all forms
     * takes ten times as long.
     *
     * @return absent where the text has another form
     * @throws DateTimeException where it has that form and is no time
     */
    private static @Nullable LocalDateTime plain(String value) {
        int end = value.length() - 1;
        if (end < SECONDS_END || end > SECONDS_END + 1 + MOST_DIGITS || value.charAt(end) != 'Z') {
            return null;
        }
        for (int place = 0; place < SECONDS_END; place++) {
            char form = PLAIN.charAt(place);
            char is = value.charAt(place);
            if (form == '0' ? is < '0' || is > '9' : is != form) {
                return null;
            }
        }
        int nanos = 0;
        if (end > SECONDS_END) {
            if (value.charAt(SECONDS_END) != '.' || end == SECONDS_END + 1) {
                return null;
            }
            for (int place = SECONDS_END + 1; place <= SECONDS_END + MOST_DIGITS; place++) {
                char is = place < end ? value.charAt(place) : '0';
                if (is < '0' || is > '9') {
                    return null;
                }
                nanos = 10 * nanos + is - '0';
            }
        }
        return LocalDateTime.of(
                number(value, 0, 4),
                number(value, 5, 7),
                number(value, 8, 10),
                number(value, 11, 13),
                number(value, 14, 16),
                number(value, 17, 19),
                nanos);
    }

    private static int number(String digits, int from, int to) {
        return Integer.parseInt(digits, from, to, 10);
    }

    /** Times of other years are no times of jobs, and more than a store can hold. */
    private static Instant storable(Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new DateTimeException("not in the years 1 to 9999");
        }
        return time;
    }

    private static boolean hasZone(String value) {
        int time = value.indexOf('T');
        boolean hasOffset = time >= 0 && (value.indexOf('+', time) > 0 || value.indexOf('-', time) > 0);
        return value.endsWith("Z") || hasOffset;
    }

    private static String abbreviate(String text) {
        return ShortText.of(text, 60);
    }
}
