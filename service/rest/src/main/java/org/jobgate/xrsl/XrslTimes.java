// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.adl.ActivityFaults;

/** Lengths of time and times as xRSL writes them. */
final class XrslTimes {

    private static final ActivityFaults FAULTS = ActivityFaults.XRSL;
    private static final Pattern PERIOD = Pattern.compile("(\\d{1,9})\\s*([a-z]+)[\\s,]*");
    private static final DateTimeFormatter PACKED = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final Duration MOST = Duration.ofDays(36_500);

    private XrslTimes() {}

    /** {@code 90}, {@code "1 day"}, {@code "2 hours, 30 minutes"} or {@code PT2H}; a bare number is of the dialect's unit. */
    static Duration period(String part, String text, XrslDialect dialect) {
        String value = text.strip().toLowerCase(Locale.ROOT);
        Duration length;
        if (value.matches("\\d{1,12}")) {
            long number = Long.parseLong(value);
            length = dialect == XrslDialect.USER ? Duration.ofMinutes(number) : Duration.ofSeconds(number);
        } else if (value.startsWith("p")) {
            length = iso(part, text);
        } else {
            length = words(part, value);
        }
        if (length.isZero() || length.isNegative() || length.compareTo(MOST) > 0) {
            throw FAULTS.invalid(
                    part, text, "it must be a length of time, more than nothing and at most a hundred years");
        }
        return length;
    }

    private static Duration iso(String part, String text) {
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeException e) {
            throw wrong(part, text);
        }
    }

    private static Duration words(String part, String value) {
        Matcher matcher = PERIOD.matcher(value);
        Duration length = Duration.ZERO;
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            long number = Long.parseLong(matcher.group(1));
            length = length.plus(Duration.ofSeconds(Math.multiplyExact(number, unit(part, value, matcher.group(2)))));
            end = matcher.end();
        }
        if (end == 0 || end != value.length()) {
            throw wrong(part, value);
        }
        return length;
    }

    private static long unit(String part, String value, String word) {
        return switch (word) {
            case "s", "sec", "secs", "second", "seconds" -> 1;
            case "m", "min", "mins", "minute", "minutes" -> 60;
            case "h", "hour", "hours" -> 3_600;
            case "d", "day", "days" -> 86_400;
            case "w", "week", "weeks" -> 604_800;
            default -> throw wrong(part, value);
        };
    }

    private static RuntimeException wrong(String part, String value) {
        return FAULTS.invalid(part, value, "it must be a length of time like 90, \"1 day\" or \"2 hours 30 minutes\"");
    }

    /** {@code 2026-11-30 12:00:00}, with {@code T} and a zone or without, or {@code 20261130120000}; without a zone it is UTC. */
    static Instant time(String part, String text) {
        String value = text.strip();
        try {
            if (value.matches("\\d{14}Z?")) {
                return LocalDateTime.parse(value.substring(0, 14), PACKED).toInstant(ZoneOffset.UTC);
            }
            String standard = value.replaceFirst("^(\\d{4}-\\d\\d-\\d\\d) ", "$1T");
            boolean hasZone = standard.endsWith("Z") || standard.matches(".*T.*[+-]\\d\\d:?\\d\\d");
            return hasZone
                    ? OffsetDateTime.parse(standard).toInstant()
                    : LocalDateTime.parse(standard).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw FAULTS.invalid(part, text, "it must be a time like 2026-11-30 12:00:00");
        }
    }
}
