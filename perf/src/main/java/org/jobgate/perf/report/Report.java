// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Servers;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The figures of one run of one scenario: a table for people and a JSON object for programs. */
public final class Report {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Map<String, Object> figures = new LinkedHashMap<>();
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Row> compared = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private final List<String> budgets = new ArrayList<>();

    public Report(String scenario) {
        figures.put("scenario", requireNonNull(scenario, "scenario is null"));
        rows.add(List.of(scenario, "min", "median", "max", "budget"));
    }

    /** A figure for programs, at the top level of the JSON: a number, a text, a record, a list or a map of them. */
    public Report put(String key, Object value) {
        if (figures.putIfAbsent(key, requireNonNull(value, () -> key + " is null")) != null) {
            throw new IllegalStateException("the report has a figure named " + key + " already");
        }
        return this;
    }

    /** A figure for both, without a budget. */
    public Report spread(String key, Spread value, String label) {
        return spread(key, value, label, Budget.NONE);
    }

    /** A figure for both; its median is held against the budget. */
    public Report spread(String key, Spread value, String label, Budget budget) {
        rows.add(List.of(
                label,
                Spread.show(value.min()),
                Spread.show(value.median()),
                Spread.show(value.max()),
                judge(key, value.median(), budget)));
        return put(key, value);
    }

    /** A single number for both. */
    public Report number(String key, double value, String label, Budget budget) {
        rows.add(List.of(label, "", Spread.show(value), "", judge(key, value, budget)));
        return put(key, value);
    }

    /** A count for both. */
    public Report count(String key, long value, String label, Budget budget) {
        rows.add(List.of(label, "", Long.toString(value), "", judge(key, (double) value, budget)));
        return put(key, value);
    }

    /** Milliseconds for both. */
    public Report latencies(String key, Latencies.Percentiles value, String label) {
        rows.add(List.of(
                label,
                "p50 " + Spread.show(value.p50()),
                "p90 " + Spread.show(value.p90()),
                "p99 " + Spread.show(value.p99()),
                "max " + Spread.show(value.max())));
        return put(key, value);
    }

    /** The same work given to us and to others, for both: the table shows theirs below ours. */
    public Report row(Row row) {
        if (!row.isMeasured()) {
            throw new IllegalArgumentException("the row '" + row.name() + "' has no figure of ours");
        }
        rows.add(line(row.name() + ", " + row.unit(), row.ours(), ""));
        Map<String, Spread> ratios = row.ratios();
        row.peers().forEach((peer, spread) -> rows.add(line("  " + peer, spread, ratio(ratios.get(peer)))));
        compared.add(row);
        return this;
    }

    private static List<String> line(String label, Spread spread, String last) {
        return List.of(label, Spread.show(spread.min()), Spread.show(spread.median()), Spread.show(spread.max()), last);
    }

    private static String ratio(@Nullable Spread ratio) {
        return ratio == null
                ? ""
                : "ours/theirs " + Spread.show(ratio.median()) + " (" + Spread.show(ratio.min()) + " to "
                        + Spread.show(ratio.max()) + ")";
    }

    /** What the servers have used in the run, all its scenario's turns together, by name: for both. */
    public Report servers(Map<String, Servers.Used> used) {
        used.forEach((name, one) -> rows.add(List.of(
                name + ", " + one.processes() + (one.processes() == 1 ? " process" : " processes"),
                "",
                Spread.show(one.cpuSeconds()) + " s CPU",
                Spread.show(one.residentMiB()) + " MiB",
                "")));
        return used.isEmpty() ? this : put("servers", used);
    }

    /** A curve for programs and pages; the table does not show it. */
    public Report series(Series curve) {
        series.add(curve);
        return this;
    }

    /** What a reader must know of the figures, in a sentence. */
    public Report note(String sentence) {
        notes.add(requireNonNull(sentence, "sentence is null"));
        return this;
    }

    private String judge(String key, double value, Budget budget) {
        String text = budget.judge(value);
        if (!text.isEmpty()) {
            budgets.add(key + " " + text);
        }
        if (!budget.isMet(value)) {
            missed.add(key + " " + text);
        }
        return text;
    }

    /** The budgets that this run did not keep. */
    public List<String> missed() {
        return List.copyOf(missed);
    }

    /** The figures by key, in the order they were put. */
    public Map<String, Object> figures() {
        return Map.copyOf(figures);
    }

    public String json() {
        Map<String, Object> all = new LinkedHashMap<>(figures);
        all.put("rows", compared.stream().map(Row::figures).toList());
        all.put("series", series);
        all.put("notes", notes);
        all.put("budgets", budgets);
        return JSON.writeValueAsString(all) + "\n";
    }

    /** One page that shows all of it, plots included, and needs no other file. */
    public String html() {
        return Page.of(JSON.readTree(json()));
    }

    public void writeTo(Path file) throws IOException {
        Files.writeString(file, json(), StandardCharsets.UTF_8);
    }

    public void print(PrintStream out) {
        int[] widths = widths();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(pad(row.getFirst(), -widths[0]));
            for (int column = 1; column < row.size(); column++) {
                line.append("  ").append(pad(row.get(column), widths[column]));
            }
            out.println(line.toString().stripTrailing());
        }
        notes.forEach(note -> out.println("* " + note));
    }

    private int[] widths() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return widths;
    }

    /** Pads on the left, or on the right where the width is negative. */
    private static String pad(String text, int width) {
        String space = " ".repeat(Math.max(0, Math.abs(width) - text.length()));
        return width < 0 ? text + space : space + text;
    }
}
