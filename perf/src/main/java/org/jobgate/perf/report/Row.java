// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same work, given to us and to others by turns: one figure of each turn. The ratio is taken turn by turn, ours over theirs, so that
 * whatever else the machine did in a turn hits both.
 */
public final class Row {

    private final String name;
    private final String unit;
    private final Better better;
    private final List<Double> ours = new ArrayList<>();
    private final Map<String, List<Double>> peers = new LinkedHashMap<>();
    private final List<Published> published = new ArrayList<>();

    /**
     * A row without figures yet.
     *
     * @param name what was done
     * @param unit of all its figures
     */
    public Row(String name, String unit, Better better) {
        this.name = requireNonNull(name, "name is null");
        this.unit = requireNonNull(unit, "unit is null");
        this.better = requireNonNull(better, "better is null");
    }

    /** Our figure of the next turn. */
    public Row ours(double value) {
        ours.add(Spread.round(value));
        return this;
    }

    /** Their figure of the next turn. */
    public Row peer(String peer, double value) {
        peers.computeIfAbsent(peer, ignored -> new ArrayList<>()).add(Spread.round(value));
        return this;
    }

    /** A figure that somebody published of such work, on another machine of another time. */
    public Row published(String what, double value, String source) {
        published.add(new Published(what, value, source));
        return this;
    }

    public String name() {
        return name;
    }

    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }

    /** Whether we have a figure; a row without is not shown. */
    public boolean isMeasured() {
        return !ours.isEmpty();
    }

    /** Our figures. */
    public Spread ours() {
        return Spread.of(ours);
    }

    /** Theirs, by name. */
    public Map<String, Spread> peers() {
        Map<String, Spread> spreads = new LinkedHashMap<>();
        peers.forEach((peer, values) -> spreads.put(peer, Spread.of(values)));
        return spreads;
    }

    /** Ours over theirs, pair by pair; a turn that only one of the two has is left out. */
    public Map<String, Spread> ratios() {
        Map<String, Spread> spreads = new LinkedHashMap<>();
        peers.forEach((peer, values) -> {
            List<Double> ratios = new ArrayList<>();
            for (int turn = 0; turn < Math.min(values.size(), ours.size()); turn++) {
                if (values.get(turn) > 0) {
                    ratios.add(ours.get(turn) / values.get(turn));
                }
            }
            if (!ratios.isEmpty()) {
                spreads.put(peer, Spread.of(ratios));
            }
        });
        return spreads;
    }

    /** The row for programs. */
    Map<String, Object> figures() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", name);
        all.put("unit", unit);
        all.put("better", better.name().toLowerCase(java.util.Locale.ROOT));
        all.put("turns", ours.size());
        all.put("ours", ours());
        all.put("peers", peers());
        all.put("ratio", ratios());
        all.put("published", published);
        return all;
    }

    /** Which way a figure is good. */
    public enum Better {
        LOWER,
        HIGHER
    }

    /**
     * Somebody's figure.
     *
     * @param what it is of
     * @param value in the row's unit
     * @param source where it was published
     */
    public record Published(String what, double value, String source) {}
}
