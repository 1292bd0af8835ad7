// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import java.time.Duration;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long requests took. Resolution 1 microsecond with 3 significant digits, at most 10 minutes. Not safe for several threads, each
 * of which records into its own and they are added up; but for those that are made to be shared.
 */
public final class Latencies {

    private static final long LONGEST_MICROS = Duration.ofMinutes(10).toNanos() / 1_000;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram;

    /** For one thread. */
    public Latencies() {
        this(new Histogram(LONGEST_MICROS, SIGNIFICANT_DIGITS));
    }

    private Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    /** For any number of threads at once: thousands of clients need no memory each. */
    public static Latencies shared() {
        return new Latencies(new AtomicHistogram(LONGEST_MICROS, SIGNIFICANT_DIGITS));
    }

    /** Records one request; one longer than the longest counts as the longest. */
    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos / 1_000, 0, LONGEST_MICROS));
    }

    public void add(Latencies other) {
        histogram.add(other.histogram);
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** The percentiles in milliseconds; all 0 where nothing was recorded. */
    public Percentiles percentiles() {
        return new Percentiles(
                millisAt(50), millisAt(90), millisAt(99), Spread.round(histogram.getMaxValue() / 1_000.0));
    }

    private double millisAt(double percent) {
        return Spread.round(histogram.getValueAtPercentile(percent) / 1_000.0);
    }

    /** Latencies in milliseconds. */
    public record Percentiles(double p50, double p90, double p99, double max) {}
}
