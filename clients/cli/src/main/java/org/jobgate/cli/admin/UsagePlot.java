// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Sums of usage as bars: the wall time on all slots, and inside of it the processor time. */
final class UsagePlot {

    private static final int MOST = 50;
    private static final int LINE = 22;
    private static final int LABELS = 380;
    private static final int BARS = 480;
    private static final int LABEL_CHARACTERS = 56;
    private static final double HOUR = 3_600_000;

    private UsagePlot() {}

    /** An SVG of its own, without scripts or anything to be fetched. The largest sums are shown where there are many. */
    static String of(List<String> by, JsonNode rows) {
        List<JsonNode> all = new ArrayList<>();
        rows.forEach(all::add);
        List<JsonNode> shown = all;
        if (all.size() > MOST) {
            shown = all.stream()
                    .sorted(Comparator.comparingDouble((JsonNode row) -> slots(row))
                            .reversed())
                    .limit(MOST)
                    .toList();
        }
        double most = Math.max(
                1e-9, shown.stream().mapToDouble(UsagePlot::slots).max().orElse(1));
        int height = LINE * (shown.size() + 2);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                LABELS + BARS + 120,
                height));
        svg.append("<title>Slot hours and CPU hours by ")
                .append(escaped(String.join(", ", by)))
                .append("</title>\n");
        svg.append(String.format(
                "<text x=\"4\" y=\"15\" font-weight=\"bold\">Slot hours (light) and CPU hours (dark) by %s%s</text>%n",
                escaped(String.join(", ", by)),
                all.size() > MOST ? ", the largest " + MOST + " of " + all.size() : ""));
        int line = 1;
        for (JsonNode row : shown) {
            int y = LINE * line++;
            String label = String.join(
                    " · ", by.stream().map(key -> Table.text(row.path(key))).toList());
            svg.append(String.format(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                    LABELS - 6, y + 15, escaped(shortened(label))));
            bar(svg, y, slots(row) / most, "#9ecae1", 16);
            bar(svg, y + 4, row.path("cpu_ms").asDouble(0) / most, "#08519c", 8);
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\">%.2f h</text>%n",
                    LABELS + BARS + 6,
                    y + 15,
                    slots(row) / HOUR));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, int y, double part, String color, int height) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LABELS,
                y,
                BARS * Math.min(1, Math.max(0, part)),
                height,
                color));
    }

    private static double slots(JsonNode row) {
        return row.path("slot_ms").asDouble(0);
    }

    /** The end of a name tells most of it. */
    private static String shortened(String label) {
        int length = label.codePointCount(0, label.length());
        return length <= LABEL_CHARACTERS
                ? label
                : "…" + label.substring(label.offsetByCodePoints(0, length - LABEL_CHARACTERS));
    }

    private static String escaped(String text) {
        return text.replaceAll("[\\p{Cntrl}\\uFFFE\\uFFFF]", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
