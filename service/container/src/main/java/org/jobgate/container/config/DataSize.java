// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, written with a binary unit: {@code 512B}, {@code 64KiB}, {@code 10MiB}, {@code 2GiB}, {@code 1TiB}. */
public record DataSize(long bytes) implements Comparable<DataSize> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    public DataSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size cannot be negative: " + bytes);
        }
    }

    /**
     * Reads a size.
     *
     * @throws IllegalArgumentException if the text is no size
     */
    public static DataSize parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be a size such as 512B, 64KiB, 10MiB or 2GiB");
        }
        long factor = 1L << (10 * java.util.List.of(UNITS).indexOf(matcher.group(2)));
        try {
            return new DataSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), factor));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is more than can be counted", e);
        }
    }

    @Override
    public int compareTo(DataSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** In the greatest unit that gives a whole number. */
    @Override
    public String toString() {
        int unit = 0;
        long value = bytes;
        while (value != 0 && value % 1024 == 0 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%d%s", value, UNITS[unit]);
    }
}
