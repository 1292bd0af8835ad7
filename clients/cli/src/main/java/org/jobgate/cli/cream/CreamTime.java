// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times as CREAM's commands show and take them, in the time zone of the user. */
public final class CreamTime {

    private static final DateTimeFormatter SHOWN =
            DateTimeFormatter.ofPattern("EEE dd MMM yyyy HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter AS_CTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter LOGGED = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT);
    private static final DateTimeFormatter GIVEN = DateTimeFormatter.ofPattern("yyyy-M-d HH:mm:ss", Locale.ROOT);

    private CreamTime() {}

    /** What a service wrote; null where it is no time. One without a zone is UTC. */
    public static @Nullable Instant parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            boolean hasZone = text.endsWith("Z") || text.matches(".*[+-]\\d\\d:\\d\\d");
            return OffsetDateTime.parse(hasZone ? text : text + "Z").toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** {@code [Tue 22 Jan 2008 15:55:08] (1201013708)}; a text that is no time as it is. */
    static String shown(@Nullable String text) {
        Instant time = parse(text);
        return time == null
                ? "[" + (text == null ? "N/A" : text) + "]"
                : "[" + SHOWN.format(time.atZone(ZoneId.systemDefault())) + "] (" + time.getEpochSecond() + ")";
    }

    /** As ctime(3) writes it. */
    static String asCtime(@Nullable String text) {
        Instant time = parse(text);
        return time == null ? String.valueOf(text) : AS_CTIME.format(time.atZone(ZoneId.systemDefault()));
    }

    static String logged(Instant time) {
        return LOGGED.format(time.atZone(ZoneId.systemDefault()));
    }

    /** A time that a user gave, as a service reads it. */
    static String given(String option, String text) throws CreamException {
        try {
            return LocalDateTime.parse(text, GIVEN)
                    .atZone(ZoneId.systemDefault())
                    .toInstant()
                    .toString();
        } catch (DateTimeException e) {
            throw new CreamException(
                    "Specified " + option + " date is wrong; must have the format 'YYYY-MM-DD HH:mm:ss'. Stop.", e);
        }
    }
}
