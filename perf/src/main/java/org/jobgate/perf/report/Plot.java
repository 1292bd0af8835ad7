// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Plots as SVG elements within a page; the page's style names the classes. */
final class Plot {

    private static final int WIDTH = 720;
    private static final int LABELS = 230;
    private static final int BAR = 18;
    private static final int LINE_HEIGHT = 260;
    private static final int MARGIN = 60;

    private Plot() {}

    /** Horizontal bars, one below the other, all from 0. */
    static String bars(List<Bar> bars) {
        double most = bars.stream().mapToDouble(Bar::max).max().orElse(0);
        double scale = most > 0 ? (WIDTH - LABELS - 80) / most : 0;
        int height = bars.size() * (BAR + 8) + 8;
        StringBuilder svg = open(height);
        int y = 8;
        for (Bar bar : bars) {
            double length = bar.median() * scale;
            text(svg, "label", LABELS - 8, y + BAR - 5, "end", bar.label());
            svg.append(format(
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    bar.kind(), LABELS, y, Math.max(1, length), BAR));
            if (bar.max() > bar.min()) {
                svg.append(format(
                        "<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
                        LABELS + bar.min() * scale, LABELS + bar.max() * scale, y + BAR / 2, y + BAR / 2));
            }
            text(
                    svg,
                    "value",
                    LABELS + Math.max(length, bar.max() * scale) + 6,
                    y + BAR - 5,
                    "start",
                    Spread.show(bar.median()));
            y += BAR + 8;
        }
        return svg.append("</svg>").toString();
    }

    /** A curve over its axis; both axes from 0 on. */
    static String curve(Series series) {
        double mostX =
                series.points().stream().mapToDouble(Series.Point::x).max().orElse(0);
        double mostY =
                series.points().stream().mapToDouble(Series.Point::y).max().orElse(0);
        double scaleX = mostX > 0 ? (WIDTH - 2.0 * MARGIN) / mostX : 0;
        double scaleY = mostY > 0 ? (LINE_HEIGHT - 2.0 * MARGIN) / mostY : 0;
        int bottom = LINE_HEIGHT - MARGIN;
        StringBuilder svg = open(LINE_HEIGHT);
        List<String> places = new ArrayList<>();
        for (Series.Point point : series.points()) {
            places.add(format("%.1f,%.1f", MARGIN + point.x() * scaleX, bottom - point.y() * scaleY));
        }
        svg.append(format(
                "<polyline class=\"axis\" points=\"%d,%d %d,%d %d,%d\"/>",
                MARGIN, MARGIN, MARGIN, bottom, WIDTH - MARGIN, bottom));
        svg.append("<polyline class=\"curve\" points=\"")
                .append(String.join(" ", places))
                .append("\"/>");
        text(svg, "value", MARGIN - 6, MARGIN + 4, "end", Spread.show(mostY));
        text(svg, "value", MARGIN - 6, bottom + 4, "end", "0");
        text(svg, "value", WIDTH - MARGIN, bottom + 18, "end", Spread.show(mostX));
        text(svg, "label", MARGIN, MARGIN - 14, "start", series.unit());
        text(svg, "label", WIDTH / 2.0, bottom + 34, "middle", series.across());
        return svg.append("</svg>").toString();
    }

    private static StringBuilder open(int height) {
        return new StringBuilder(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                WIDTH, height, WIDTH, height));
    }

    private static void text(StringBuilder svg, String kind, double x, double y, String anchor, String words) {
        svg.append(format(
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind, x, y, anchor, escape(words)));
    }

    /** Text as content of a page. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /**
     * One bar.
     *
     * @param kind {@code ours}, {@code peer} or {@code published}
     * @param median its length; {@code min} and {@code max} are shown as a line
     */
    record Bar(String label, String kind, double min, double median, double max) {
        Bar {
            Objects.requireNonNull(label, "label is null");
            Objects.requireNonNull(kind, "kind is null");
        }
    }
}
