// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A report as one HTML page that needs no other file: conditions, a plot and a table for each row, curves, notes. */
final class Page {

    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1b2733; }
            table { border-collapse: collapse; margin: .5em 0 1.5em; } td, th { padding: .15em .8em; text-align: right; }
            td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid #d8dee4; }
            svg { max-width: 100%; height: auto; } text { font: 12px system-ui, sans-serif; fill: #1b2733; }
            .ours { fill: #1f6feb; } .peer { fill: #8c959f; } .published { fill: #d4a72c; }
            .spread { stroke: #1b2733; } .axis { fill: none; stroke: #8c959f; } .curve { fill: none; stroke: #1f6feb; stroke-width: 2; }
            """;

    private Page() {}

    /** The page of a report, given as its JSON. */
    static String of(JsonNode report) {
        String title = "Jobgate: " + report.path("scenario").asString("a measurement");
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(Plot.escape(title))
                .append("</title><style>\n")
                .append(STYLE)
                .append("</style></head><body><h1>")
                .append(Plot.escape(title))
                .append("</h1>\n");
        conditions(page, report.path("conditions"));
        for (JsonNode note : report.path("notes")) {
            page.append("<p>").append(Plot.escape(note.asString())).append("</p>\n");
        }
        for (JsonNode row : report.path("rows")) {
            row(page, row);
        }
        for (JsonNode series : report.path("series")) {
            curve(page, series);
        }
        others(page, report);
        return page.append("</body></html>\n").toString();
    }

    private static void conditions(StringBuilder page, JsonNode conditions) {
        if (conditions.isEmpty()) {
            return;
        }
        page.append("<h2>Conditions</h2><table>");
        conditions
                .properties()
                .forEach(one -> page.append("<tr><td>")
                        .append(Plot.escape(one.getKey()))
                        .append("</td><td>")
                        .append(Plot.escape(plain(one.getValue())))
                        .append("</td></tr>"));
        page.append("</table>\n");
    }

    private static String plain(JsonNode value) {
        return value.isValueNode() ? value.asString("") : value.toString();
    }

    private static void row(StringBuilder page, JsonNode row) {
        page.append("<h2>")
                .append(Plot.escape(row.path("name").asString()))
                .append("</h2><p>")
                .append(Plot.escape(row.path("unit").asString()))
                .append("; ")
                .append(Plot.escape(row.path("better").asString()))
                .append(" is better; turns: ")
                .append(row.path("turns").asInt())
                .append("</p>\n");
        List<Plot.Bar> bars = new ArrayList<>();
        bars.add(bar("Jobgate", "ours", row.path("ours")));
        row.path("peers").properties().forEach(peer -> bars.add(bar(peer.getKey(), "peer", peer.getValue())));
        for (JsonNode figure : row.path("published")) {
            double value = figure.path("value").asDouble();
            bars.add(new Plot.Bar(figure.path("what").asString(), "published", value, value, value));
        }
        page.append(Plot.bars(bars))
                .append('\n')
                .append("<table><tr><th></th><th>min</th><th>median</th><th>max</th><th>ours / theirs</th></tr>");
        line(page, "Jobgate", row.path("ours"), "");
        row.path("peers")
                .properties()
                .forEach(peer -> line(
                        page,
                        peer.getKey(),
                        peer.getValue(),
                        spread(row.path("ratio").path(peer.getKey()))));
        for (JsonNode figure : row.path("published")) {
            page.append("<tr><td>")
                    .append(Plot.escape(figure.path("what").asString() + " (published: "
                            + figure.path("source").asString() + ")"))
                    .append("</td><td></td><td>")
                    .append(Spread.show(figure.path("value").asDouble()))
                    .append("</td><td></td><td></td></tr>");
        }
        page.append("</table>\n");
    }

    private static Plot.Bar bar(String label, String kind, JsonNode spread) {
        return new Plot.Bar(
                label,
                kind,
                spread.path("min").asDouble(),
                spread.path("median").asDouble(),
                spread.path("max").asDouble());
    }

    static String spread(JsonNode spread) {
        return spread.isMissingNode()
                ? ""
                : Spread.show(spread.path("median").asDouble()) + " ("
                        + Spread.show(spread.path("min").asDouble()) + " to "
                        + Spread.show(spread.path("max").asDouble()) + ")";
    }

    private static void line(StringBuilder page, String label, JsonNode spread, String ratio) {
        page.append("<tr><td>").append(Plot.escape(label)).append("</td>");
        for (String column : List.of("min", "median", "max")) {
            page.append("<td>")
                    .append(Spread.show(spread.path(column).asDouble()))
                    .append("</td>");
        }
        page.append("<td>").append(Plot.escape(ratio)).append("</td></tr>");
    }

    private static void curve(StringBuilder page, JsonNode series) {
        List<Series.Point> points = new ArrayList<>();
        for (JsonNode point : series.path("points")) {
            points.add(
                    new Series.Point(point.path("x").asDouble(), point.path("y").asDouble()));
        }
        Series curve = new Series(
                series.path("name").asString(),
                series.path("across").asString(),
                series.path("unit").asString(),
                points);
        page.append("<h2>")
                .append(Plot.escape(curve.name()))
                .append("</h2>\n")
                .append(Plot.curve(curve))
                .append('\n');
    }

    /** What is neither row nor curve: as it stands in the JSON. */
    private static void others(StringBuilder page, JsonNode report) {
        page.append("<h2>All figures</h2><table>");
        List<String> shown = List.of("conditions", "notes", "rows", "series");
        report.properties().stream()
                .filter(one -> !shown.contains(one.getKey()))
                .forEach(one -> page.append("<tr><td>")
                        .append(Plot.escape(one.getKey()))
                        .append("</td><td>")
                        .append(Plot.escape(plain(one.getValue())))
                        .append("</td></tr>"));
        page.append("</table>\n");
    }
}
