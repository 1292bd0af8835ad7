// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {

    private final Report report = new Report("submit-rate");

    @Test
    void figuresStandAtTheTopLevelOfTheJson(@TempDir Path directory) throws Exception {
        Latencies latencies = new Latencies();
        latencies.record(2_000_000);
        report.spread("jobs_per_second", new Spread(90, 100, 110), "jobs per second")
                .latencies("latency_ms", latencies.percentiles(), "latency")
                .count("lost", 0, "lost", Budget.atMost(0))
                .put("conditions", Conditions.now(Clock.systemUTC(), directory, directory, "none"));
        Path file = directory.resolve("figures.json");

        report.writeTo(file);

        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(file));
        assertThat(json.path("scenario").asString()).isEqualTo("submit-rate");
        assertThat(json.path("jobs_per_second").path("median").asDouble()).isEqualTo(100);
        assertThat(json.path("jobs_per_second").path("max").asDouble()).isEqualTo(110);
        assertThat(json.path("latency_ms").path("p99").asDouble()).isEqualTo(2.0, within(0.01));
        assertThat(json.path("lost").asInt(-1)).isZero();
        assertThat(json.path("conditions").path("cores").asInt()).isPositive();
        assertThat(json.path("conditions").path("fsyncMs").asDouble()).isPositive();
        assertThat(json.path("conditions").path("processorMs").asDouble()).isPositive();
    }

    @Test
    void aMissedBudgetIsNamed() {
        report.spread("jobs_per_second", new Spread(10, 20, 300), "jobs per second", Budget.atLeast(100))
                .number("restart_seconds", 2, "restart", Budget.atMost(3));

        assertThat(report.missed()).containsExactly("jobs_per_second >= 100 MISSED");
        assertThat(table()).contains("MISSED").contains("<= 3.00 met");
    }

    @Test
    void columnsOfTheTableAreAligned() {
        report.spread("a", new Spread(1, 2, 3), "short").spread("b", new Spread(1_000, 2_000, 3_000), "a longer label");

        List<String> lines = table().lines().toList();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(1).indexOf("2.00") + 4).isEqualTo(lines.get(2).indexOf("2000") + 4);
    }

    @Test
    void twoFiguresOfOneNameAreRefused() {
        report.put("jobs", 1);

        assertThatIllegalStateException()
                .isThrownBy(() -> report.put("jobs", 2))
                .withMessageContaining("jobs");
    }

    private String table() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        report.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
