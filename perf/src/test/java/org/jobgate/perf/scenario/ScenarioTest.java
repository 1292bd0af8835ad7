// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioTest {

    @Test
    void theCommandOfAReportIsWhatAShellTakes() {
        assertThat(Scenario.command(List.of(
                        "table3", "--configure", "staging: { dataPorts: any }", "--out", "/tmp/x.json", "--repeat=2")))
                .isEqualTo("perf/run table3 --configure 'staging: { dataPorts: any }' --repeat=2");
        assertThat(Scenario.command(List.of("x", "it's", ""))).isEqualTo("perf/run x 'it'\\''s' ''");
    }
}
