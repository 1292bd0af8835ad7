// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Whether a second run of a scenario says the same as the first: each of its medians lies within the spread of the first, which is from
 * the least figure of its turns to the greatest, and {@link #MARGIN} of these further either way. What only one of the two has is left
 * out, as a second run may have fewer rows.
 *
 * @param compared how many figures both have: ours of each row, each ratio to a peer, and what stands beside the rows with a spread
 * @param outside those whose second median is not within the first's spread, each in a sentence
 */
public record Agreement(int compared, List<String> outside) {

    /** How far a machine that others use too may carry a figure off beyond the turns of one run: a fifth. */
    public static final double MARGIN = 0.2;

    public Agreement {
        outside = List.copyOf(outside);
    }

    /**
     * Compares two reports of one scenario.
     *
     * @param first the JSON of the first run
     * @param second the JSON of the second one
     */
    public static Agreement of(JsonNode first, JsonNode second) {
        requireNonNull(first, "first is null");
        Map<String, JsonNode> spreads = spreads(first);
        int compared = 0;
        List<String> outside = new ArrayList<>();
        for (Map.Entry<String, JsonNode> one : spreads(second).entrySet()) {
            JsonNode before = spreads.get(one.getKey());
            if (before != null) {
                compared++;
                double median = one.getValue().path("median").asDouble();
                if (!isWithin(before, median)) {
                    outside.add(
                            one.getKey() + ": " + Spread.show(median) + " in the second run, " + Page.spread(before));
                }
            }
        }
        return new Agreement(compared, outside);
    }

    private static boolean isWithin(JsonNode spread, double value) {
        return value >= spread.path("min").asDouble() * (1 - MARGIN)
                && value <= spread.path("max").asDouble() * (1 + MARGIN);
    }

    /** How many of the compared figures agree. */
    public int within() {
        return compared - outside.size();
    }

    private static Map<String, JsonNode> spreads(JsonNode report) {
        Map<String, JsonNode> spreads = new LinkedHashMap<>();
        report.path("rows").forEach(row -> {
            String name = row.path("name").asString() + ", " + row.path("unit").asString();
            spreads.put(name, row.path("ours"));
            row.path("ratio")
                    .properties()
                    .forEach(peer -> spreads.put(name + ", ours / " + peer.getKey(), peer.getValue()));
        });
        report.properties().stream()
                .filter(figure -> figure.getValue().has("median"))
                .forEach(figure -> spreads.put(figure.getKey(), figure.getValue()));
        return spreads;
    }
}
