// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;

/** How late a client learns of the ends of jobs: a row of each turn's median, 99th percentile and greatest, and all turns together. */
final class Delay {

    private final String key;
    private final String name;
    private final Function<Ending, Optional<Double>> millis;
    private final Row median;
    private final Row p99;
    private final Row greatest;
    private final List<Double> all = new ArrayList<>();

    /**
     * Nothing yet.
     *
     * @param key of the figures, without unit
     * @param name of the rows: which client it is
     * @param millis of one job; empty where it is not known
     */
    Delay(String key, String name, Function<Ending, Optional<Double>> millis) {
        this.key = requireNonNull(key, "key is null");
        this.name = requireNonNull(name, "name is null");
        this.millis = requireNonNull(millis, "millis is null");
        this.median = row("median");
        this.p99 = row("99th percentile");
        this.greatest = row("greatest");
    }

    private Row row(String what) {
        return new Row(name + ": " + what + " of a turn", "ms", Row.Better.LOWER);
    }

    /** One turn; a turn of which nothing is known makes no figure. */
    void add(Collection<Ending> turn) {
        List<Double> known = turn.stream().map(millis).flatMap(Optional::stream).toList();
        if (!known.isEmpty()) {
            median.ours(Spread.percentile(known, 50));
            p99.ours(Spread.percentile(known, 99));
            greatest.ours(Spread.percentile(known, 100));
            all.addAll(known);
        }
    }

    /** Puts the rows, and the percentiles of all jobs with this budget for the 99th; nothing where nothing is known. */
    void report(Report report, Budget budget) {
        if (all.isEmpty()) {
            return;
        }
        report.row(median).row(p99).row(greatest);
        var percentiles = new Latencies.Percentiles(
                Spread.percentile(all, 50),
                Spread.percentile(all, 90),
                Spread.percentile(all, 99),
                Spread.percentile(all, 100));
        report.latencies(key + "_ms", percentiles, "  " + name + ", all jobs, ms")
                .number(key + "_p99_ms", percentiles.p99(), "  its p99, ms", budget);
    }
}
