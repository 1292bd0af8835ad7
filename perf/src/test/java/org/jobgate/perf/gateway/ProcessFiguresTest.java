// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessFiguresTest {

    private static final String STAT =
            "4242 (a (strange) name) S 1 4242 4242 0 -1 4194560 100 0 0 0 150 50 300 40 20 0 30 0 12345 1000 200";

    @Test
    void memoryAndProcessorTimeAreRead() throws IOException {
        ProcessFigures figures = ProcessFigures.parse("Name:\tx\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n", STAT);

        assertThat(figures).isEqualTo(new ProcessFigures(100, 200, 2.0, 3.4));
    }

    @Test
    void aProcessThatHasEndedHasNoMemory() {
        assertThatIOException().isThrownBy(() -> ProcessFigures.parse("Name:\tx\nState:\tZ (zombie)\n", STAT));
    }

    @Test
    void thisProcessHasFigures() throws IOException {
        ProcessFigures figures = ProcessFigures.of(ProcessHandle.current().pid());

        assertThat(figures.residentMiB()).isBetween(10.0, figures.peakResidentMiB());
        assertThat(figures.cpuSeconds()).isPositive();
    }
}
