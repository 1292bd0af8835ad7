// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RowTest {

    @TempDir
    Path directory;

    private static Row row() {
        return new Row("none / none", "s per job", Row.Better.LOWER)
                .ours(1)
                .peer("other", 4)
                .ours(3)
                .peer("other", 2)
                .ours(2)
                .published("old", 9.1, "a paper");
    }

    @Test
    void aRatioIsTakenTurnByTurnAndNotOfTheMedians() {
        assertThat(row().ratios()).isEqualTo(Map.of("other", new Spread(0.25, 0.875, 1.5)));
    }

    @Test
    void theMiddleIsOfAllTurns() {
        assertThat(row().ours()).isEqualTo(new Spread(1, 2, 3));
    }

    @Test
    void aPeerWithoutTimeHasNoRatio() {
        Row row = new Row("x", "s", Row.Better.LOWER).ours(1).peer("other", 0);

        assertThat(row.ratios()).isEmpty();
        assertThat(row.peers()).containsKey("other");
    }

    @Test
    void aRowThatWasNotMeasuredIsNoRow() {
        Row row = new Row("x", "s", Row.Better.LOWER).peer("other", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Report("s").row(row))
                .withMessageContaining("'x'");
    }

    @Test
    void programsReadEachRowByName() {
        JsonNode row = JsonMapper.builder()
                .build()
                .readTree(new Report("s").row(row()).json())
                .path("rows")
                .path(0);

        assertThat(row.path("name").asString()).isEqualTo("none / none");
        assertThat(row.path("better").asString()).isEqualTo("lower");
        assertThat(row.path("ours").path("median").asDouble()).isEqualTo(2);
        assertThat(row.path("peers").path("other").path("max").asDouble()).isEqualTo(4);
        assertThat(row.path("ratio").path("other").path("min").asDouble()).isEqualTo(0.25);
        assertThat(row.path("published").path(0).path("source").asString()).isEqualTo("a paper");
    }

    @Test
    void thePageShowsPlotsAndNeedsNoOtherFile() {
        Report report = new Report("s<1>")
                .row(row())
                .series(new Series("memory", "s", "MiB", List.of(new Series.Point(0, 1), new Series.Point(2, 4))))
                .note("5 < 6");

        assertThat(report.html())
                .contains(
                        "<svg", "class=\"ours\"", "class=\"peer\"", "class=\"published\"", "<polyline class=\"curve\"")
                .contains("s&lt;1&gt;", "5 &lt; 6", "0.8750 (0.2500 to 1.50)")
                .doesNotContain("src=", "href=", "<script", "s<1>");
    }

    @Test
    void theBarsAreAsLongAsTheirFiguresSay() {
        String svg = Plot.bars(List.of(new Plot.Bar("a", "ours", 1, 1, 1), new Plot.Bar("b", "peer", 2, 2, 2)));

        assertThat(svg).contains("width=\"205.0\"", "width=\"410.0\"");
    }

    @Test
    void theResultsSayWhereTheOtherIsBetter() throws Exception {
        Row lost = new Row("files", "s", Row.Better.LOWER).ours(3).peer("other", 2);
        Row won = new Row("rate", "1/s", Row.Better.HIGHER).ours(3).peer("other", 2);
        new Report("table9")
                .put("command", "perf/run table9")
                .row(lost)
                .row(won)
                .writeTo(directory.resolve("a.json"));

        assertThat(Results.of(directory))
                .contains("## table9", "`perf/run table9`")
                .contains("| files, s | Jobgate | 3.00 | 3.00 | 3.00 |  |")
                .contains("|  | other | 2.00 | 2.00 | 2.00 | **1.50 (1.50 to 1.50)** |")
                .contains("|  | other | 2.00 | 2.00 | 2.00 | 1.50 (1.50 to 1.50) |");
    }

    @Test
    void resultsAreMadeOfRunsOnly() throws Exception {
        assertThatIOException()
                .isThrownBy(() -> Results.of(directory))
                .withMessageContaining("no result")
                .withMessageContaining("--out");
        Files.writeString(directory.resolve("x.json"), "{}");
        assertThatIOException().isThrownBy(() -> Results.of(directory)).withMessageContaining("x.json");
        Files.writeString(directory.resolve("x.json"), "{");
        assertThatIOException().isThrownBy(() -> Results.of(directory)).withMessageContaining("not JSON");
    }

    @Test
    void theTableOfServersIsNoPartOfTheListBeforeIt() throws Exception {
        Report report = new Report("one").count("lost", 0, "lost", Budget.atMost(0));
        report.servers(Map.of("nginx", new Servers.Used(1, 2, 3))).writeTo(directory.resolve("one.json"));

        assertThat(Results.of(directory)).contains("- budget lost <= 0.0000 met\n\n| server |");
    }
}
