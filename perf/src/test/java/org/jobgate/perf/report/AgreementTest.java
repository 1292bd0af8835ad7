// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AgreementTest {

    @TempDir
    Path directory;

    private static Row row(String name, double... ours) {
        Row row = new Row(name, "s", Row.Better.LOWER);
        for (double one : ours) {
            row.ours(one);
        }
        return row;
    }

    private static JsonNode json(Report report) {
        return JsonMapper.builder().build().readTree(report.json());
    }

    @Test
    void aMedianWithinAFifthOfTheTurnsAgrees() {
        JsonNode first = json(new Report("table9").row(row("low", 10, 12)).row(row("high", 10, 12)));
        JsonNode second = json(new Report("table9").row(row("low", 8.1)).row(row("high", 14.3)));

        assertThat(Agreement.of(first, second)).isEqualTo(new Agreement(2, List.of()));
    }

    @Test
    void oneBeyondItIsNamedWithBothFigures() {
        JsonNode first = json(new Report("table9").row(row("low", 10, 12)).row(row("high", 10, 12)));
        JsonNode second = json(new Report("table9").row(row("low", 7.9)).row(row("high", 14.5)));

        Agreement agreement = Agreement.of(first, second);

        assertThat(agreement.within()).isZero();
        assertThat(agreement.outside())
                .containsExactly(
                        "low, s: 7.90 in the second run, 11.00 (10.00 to 12.00)",
                        "high, s: 14.50 in the second run, 11.00 (10.00 to 12.00)");
    }

    @Test
    void ratiosToPeersAndFiguresBesideTheRowsAreCompared() {
        JsonNode first = json(new Report("table9")
                .row(row("files", 10).peer("other", 5))
                .spread("restart_seconds", new Spread(1, 2, 3), "restart"));
        JsonNode second = json(new Report("table9")
                .row(row("files", 10).peer("other", 10))
                .spread("restart_seconds", new Spread(9, 9, 9), "restart"));

        Agreement agreement = Agreement.of(first, second);

        assertThat(agreement.compared()).isEqualTo(3);
        assertThat(agreement.outside())
                .containsExactly(
                        "files, s, ours / other: 1.00 in the second run, 2.00 (2.00 to 2.00)",
                        "restart_seconds: 9.00 in the second run, 2.00 (1.00 to 3.00)");
    }

    @Test
    void rowsThatOnlyOneRunHasAreLeftOut() {
        JsonNode first = json(new Report("table9").row(row("a", 1)).row(row("b", 1)));
        JsonNode second = json(new Report("table9").row(row("b", 1)).row(row("c", 1)));

        assertThat(Agreement.of(first, second).compared()).isEqualTo(1);
    }

    @Test
    void thePageSaysHowFarTheTwoAgree() throws Exception {
        Path again = Files.createDirectories(directory.resolve(Results.AGAIN));
        new Report("table9")
                .put("command", "perf/run table9")
                .row(row("files", 10))
                .writeTo(directory.resolve("t.json"));
        new Report("table8").row(row("files", 10)).writeTo(directory.resolve("u.json"));
        new Report("table9")
                .put("command", "perf/run table9 --jobs 5")
                .row(row("files", 20))
                .writeTo(again.resolve("t.json"));

        assertThat(Results.of(directory))
                .contains("A second run of 1 scenarios agrees with the first in 0 of 1 figures")
                .contains("A second run, `perf/run table9 --jobs 5`, at an unknown time")
                .contains("agrees in 0 of 1 figures; outside of the first's spread:\n\n- files, s: 20.00");
    }
}
