// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.perf.Main;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AllTest {

    private static List<List<String>> steps(String... options) {
        All all = new All();
        new CommandLine(all).parseArgs(options);
        return all.steps();
    }

    @Test
    void eachScenarioThatIsNamedTakesTheOptionsThatItIsGiven() {
        for (List<List<String>> steps : List.of(steps(), steps("--again"), steps("--quick"))) {
            assertThat(steps)
                    .isNotEmpty()
                    .allSatisfy(step -> assertThat(Main.commandLine()
                                    .parseArgs(step.toArray(String[]::new))
                                    .hasSubcommand())
                            .isTrue());
        }
    }

    @Test
    void bothListsHaveTheSectionsOfThePage() {
        assertThat(steps())
                .extracting(List::getFirst)
                .containsExactly(
                        "table2",
                        "table3",
                        "concurrent",
                        "throughput",
                        "bestman",
                        "arft",
                        "sequential",
                        "submit-rate",
                        "bulk",
                        "restart",
                        "notice",
                        "crash",
                        "active",
                        "cream",
                        "ice");
        assertThat(steps("--quick"))
                .extracting(List::getFirst)
                .containsExactly(
                        "table2",
                        "table3",
                        "concurrent",
                        "throughput",
                        "cream",
                        "ice",
                        "bestman",
                        "arft",
                        "active",
                        "notice",
                        "crash");
    }

    @Test
    void aSecondRunHasAllThatHaveFiguresToCompare() {
        List<String> first =
                new ArrayList<>(steps().stream().map(List::getFirst).toList());
        first.remove("crash");
        assertThat(steps("--again")).extracting(List::getFirst).isEqualTo(first);
    }

    @Test
    void onlyThoseThatAreAskedForAreRun() {
        assertThat(steps("--only", "crash,active")).extracting(List::getFirst).containsExactly("crash", "active");
    }
}
