// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    private int run(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        commandLine.setOut(new PrintWriter(out, true));
        return commandLine.execute(arguments);
    }

    @Test
    void helpNamesEveryScenario() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("submit-rate", "sequential", "concurrent", "bulk", "restart", "notice", "crash", "smoke")
                .contains("table2", "table3", "throughput", "arft", "bes ", "bestman", "cream", "ice", "all", "publish")
                .contains("skeletonkey");
    }

    @Test
    void anLrmIsNamedInSmallLettersAndAnUnknownOneIsAnError() {
        assertThat(run("concurrent", "--lrm", "condor", "--help")).isZero();
        assertThat(run("concurrent", "--lrm", "lsf")).isEqualTo(2);
        assertThat(err.toString()).contains("lsf");
    }

    @Test
    void anUnknownScenarioIsAnError() {
        assertThat(run("speed")).isEqualTo(2);
    }

    @Test
    void whereThereIsNothingToMeasureTheErrorSaysWhatToDo() {
        assertThat(run("smoke", "--root", "/nonexistent")).isEqualTo(1);
        assertThat(err.toString())
                .contains("/nonexistent/bin/jobgate")
                .contains("--root")
                .doesNotContain("\tat ");
    }
}
