// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published page of figures, made of the JSON files of single runs and of nothing else. */
public final class Results {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The directory beside the first runs' files where those of second runs lie, each under the same name. */
    public static final String AGAIN = "again";

    private Results() {}

    /**
     * The page as Markdown.
     *
     * @param directory with a JSON file of each run, and those of second runs in {@link #AGAIN}
     * @throws IOException if it holds none, or one is not a report
     */
    public static String of(Path directory) throws IOException {
        List<Run> reports = new ArrayList<>();
        for (Path file : files(directory)) {
            Path again = directory.resolve(AGAIN).resolve(file.getFileName());
            reports.add(new Run(read(file), Files.exists(again) ? read(again) : null));
        }
        if (reports.isEmpty()) {
            throw new IOException(
                    "no result in " + directory + ": run scenarios with --out " + directory + "/NAME.json");
        }
        StringBuilder page = new StringBuilder("""
                <!-- SPDX-FileCopyrightText: 2026 The Jobgate authors
                     SPDX-License-Identifier: Apache-2.0 -->
                # Results

                Made by `perf/run publish` from the runs in perf/results; not written by hand. How it is measured, and what each scenario is:
                [performance](../docs/internals/performance.md). A ratio is ours over theirs, turn by turn: median (least to greatest).
                **Bold: the other is better.** Published figures are of other machines and other years.
                """);
        overview(page, reports);
        for (Run report : reports) {
            section(page, report.first());
            if (report.second() != null) {
                again(page, report.first(), report.second());
            }
        }
        return page.toString();
    }

    /** A scenario's run and, where it was run again, the second one. */
    private record Run(JsonNode first, @Nullable JsonNode second) {}

    /** How far second runs agree with the first, all together. */
    private static void overview(StringBuilder page, List<Run> reports) {
        List<Agreement> agreements = reports.stream()
                .filter(run -> run.second() != null)
                .map(run -> Agreement.of(run.first(), requireNonNull(run.second())))
                .toList();
        if (!agreements.isEmpty()) {
            page.append("\nA second run of ")
                    .append(agreements.size())
                    .append(" scenarios agrees with the first in ")
                    .append(agreements.stream().mapToInt(Agreement::within).sum())
                    .append(" of ")
                    .append(agreements.stream().mapToInt(Agreement::compared).sum())
                    .append(
                            " figures: its median lies between the least and the greatest figure of the first's turns, or within a ")
                    .append("fifth of either. The others are named below each scenario.\n");
        }
    }

    private static void again(StringBuilder page, JsonNode first, JsonNode second) {
        Agreement agreement = Agreement.of(first, second);
        page.append("\nA second run, ");
        origin(page, second);
        page.append(", agrees in ")
                .append(agreement.within())
                .append(" of ")
                .append(agreement.compared())
                .append(" figures")
                .append(agreement.outside().isEmpty() ? ".\n" : "; outside of the first's spread:\n\n");
        agreement.outside().forEach(one -> page.append("- ").append(cell(one)).append('\n'));
    }

    /** What was run, when, and of which commit. */
    private static void origin(StringBuilder page, JsonNode report) {
        JsonNode conditions = report.path("conditions");
        page.append("`")
                .append(report.path("command")
                        .asString("perf/run " + report.path("scenario").asString()))
                .append("`, ")
                .append(conditions.path("started").asString("at an unknown time"))
                .append(", commit ")
                .append(conditions.path("commit").asString("unknown"));
    }

    private static List<Path> files(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.json")) {
                found.forEach(files::add);
            }
        }
        files.sort(null);
        return files;
    }

    private static JsonNode read(Path file) throws IOException {
        try {
            JsonNode report = JSON.readTree(Files.readString(file, StandardCharsets.UTF_8));
            if (!report.path("scenario").isString()) {
                throw new IOException(file + " is not the report of a scenario: it names none");
            }
            return report;
        } catch (JacksonException e) {
            throw new IOException(file + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static void section(StringBuilder page, JsonNode report) {
        page.append("\n## ").append(cell(report.path("scenario").asString())).append("\n\n");
        conditions(page, report);
        if (!report.path("rows").isEmpty()) {
            page.append("| what | who | min | median | max | ours / theirs |\n|---|---|---|---|---|---|\n");
            report.path("rows").forEach(row -> row(page, row));
            page.append('\n');
        }
        figures(page, report);
        servers(page, report.path("servers"));
        report.path("notes")
                .forEach(note -> page.append("- ").append(cell(note.asString())).append('\n'));
    }

    private static void conditions(StringBuilder page, JsonNode report) {
        JsonNode conditions = report.path("conditions");
        origin(page, report);
        page.append("; ")
                .append(conditions.path("cores").asInt())
                .append(" cores (")
                .append(cell(conditions.path("machine").asString("unknown")))
                .append("), ")
                .append(conditions.path("memoryMiB").asLong())
                .append(" MiB, ")
                .append(cell(conditions.path("kernel").asString("unknown")))
                .append(", ")
                .append(cell(conditions.path("java").asString("unknown")))
                .append(", ")
                .append(cell(conditions.path("store").asString("unknown")))
                .append(" on ")
                .append(cell(conditions.path("filesystem").asString("unknown")))
                .append(", forced write ")
                .append(Spread.show(conditions.path("fsyncMs").asDouble()))
                .append(" ms, fixed work on all processors ")
                .append(
                        conditions.has("processorMs")
                                ? Spread.show(conditions.path("processorMs").asDouble()) + " ms"
                                : "not measured")
                .append("; load before ")
                .append(Spread.show(conditions.path("loadBefore").asDouble()))
                .append(", after ")
                .append(Spread.show(report.path("load_after").asDouble()));
        report.path("versions")
                .properties()
                .forEach(one -> page.append("; ")
                        .append(cell(one.getKey()))
                        .append(' ')
                        .append(cell(one.getValue().asString())));
        page.append(".\n\n");
    }

    private static void row(StringBuilder page, JsonNode row) {
        String what =
                cell(row.path("name").asString()) + ", " + cell(row.path("unit").asString());
        boolean lower = row.path("better").asString().equals("lower");
        line(page, what, "Jobgate", row.path("ours"), "");
        row.path("peers").properties().forEach(peer -> {
            JsonNode ratio = row.path("ratio").path(peer.getKey());
            double median = ratio.path("median").asDouble(1);
            boolean lost = lower ? median > 1 : median < 1;
            String text = Page.spread(ratio);
            line(page, "", cell(peer.getKey()), peer.getValue(), lost ? "**" + text + "**" : text);
        });
        row.path("published")
                .forEach(figure -> page.append("| | ")
                        .append(cell(figure.path("what").asString()))
                        .append(" (published: ")
                        .append(cell(figure.path("source").asString()))
                        .append(") | | ")
                        .append(Spread.show(figure.path("value").asDouble()))
                        .append(" | | |\n"));
    }

    private static void line(StringBuilder page, String what, String who, JsonNode spread, String ratio) {
        page.append("| ").append(what).append(" | ").append(who);
        for (String column : List.of("min", "median", "max")) {
            page.append(" | ").append(Spread.show(spread.path(column).asDouble()));
        }
        page.append(" | ").append(ratio).append(" |\n");
    }

    /** Spreads, numbers and latencies that belong to no row. */
    private static void figures(StringBuilder page, JsonNode report) {
        List<String> elsewhere = List.of(
                "scenario",
                "conditions",
                "load_after",
                "versions",
                "command",
                "rows",
                "series",
                "notes",
                "budgets",
                "servers");
        StringBuilder lines = new StringBuilder();
        report.properties().stream()
                .filter(one -> !elsewhere.contains(one.getKey()))
                .forEach(one -> lines.append("| ")
                        .append(cell(one.getKey()))
                        .append(" | ")
                        .append(cell(value(one.getValue())))
                        .append(" |\n"));
        if (!lines.isEmpty()) {
            page.append("| figure | |\n|---|---|\n").append(lines).append('\n');
        }
        report.path("budgets")
                .forEach(budget ->
                        page.append("- budget ").append(cell(budget.asString())).append('\n'));
        if (!report.path("budgets").isEmpty()) {
            page.append('\n');
        }
    }

    private static void servers(StringBuilder page, JsonNode servers) {
        if (servers.isEmpty()) {
            return;
        }
        page.append(
                "| server | processes at the end | CPU in the run, s | in RAM at the end, MiB |\n|---|---|---|---|\n");
        servers.properties()
                .forEach(one -> page.append("| ")
                        .append(cell(one.getKey()))
                        .append(" | ")
                        .append(one.getValue().path("processes").asInt())
                        .append(" | ")
                        .append(Spread.show(one.getValue().path("cpuSeconds").asDouble()))
                        .append(" | ")
                        .append(Spread.show(one.getValue().path("residentMiB").asDouble()))
                        .append(" |\n"));
        page.append('\n');
    }

    private static String value(JsonNode value) {
        if (value.has("median")) {
            return Page.spread(value);
        }
        return value.isNumber()
                ? Spread.show(value.asDouble())
                : value.isValueNode() ? value.asString("") : value.toString();
    }

    /** Text that cannot end its cell or line. */
    private static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }
}
