// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written in the file: {@code 250ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}. */
public final class DurationText {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be a duration such as 250ms, 30s, 5m, 2h or 7d");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    /** In the greatest unit that gives a whole number. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis == 0 ? "0s" : millis + "ms";
        }
        if (millis % DAY_MILLIS == 0) {
            return duration.toDays() + "d";
        }
        if (millis % 3_600_000 == 0) {
            return duration.toHours() + "h";
        }
        return millis % 60_000 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
    }
}
