// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** The least, the middle and the greatest of some measurements; of an even number, the middle is the mean of the two. */
public record Spread(double min, double median, double max) {

    /**
     * The spread of these values.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Spread of(Collection<? extends Number> values) {
        requireNonNull(values, "values is null");
        double[] sorted =
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("nothing was measured: a spread needs at least one value");
        }
        return new Spread(round(sorted[0]), round(percentile(sorted, 50)), round(sorted[sorted.length - 1]));
    }

    /** The value that this share (0 to 100) of the values does not exceed, interpolated between neighbours. */
    public static double percentile(Collection<? extends Number> values, double percent) {
        return round(percentile(
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray(), percent));
    }

    private static double percentile(double[] sorted, double percent) {
        if (sorted.length == 0 || percent < 0 || percent > 100) {
            throw new IllegalArgumentException(
                    "percentile " + percent + " of " + Arrays.toString(sorted) + " is not defined");
        }
        double place = (sorted.length - 1) * percent / 100;
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
    }

    /** Four digits after the point are below what any clock here resolves. */
    public static double round(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }

    /** As shown in a table: three digits that count, fewer where that is a whole number anyway. */
    public static String show(double value) {
        String format = Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
