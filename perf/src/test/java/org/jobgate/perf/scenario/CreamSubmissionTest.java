// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jobgate.perf.wire.Staging;
import org.junit.jupiter.api.Test;

class CreamSubmissionTest {

    @Test
    void aJobNamesItsLrmAndItsFiles() {
        Staging files = new Staging(
                "any",
                List.of(new Staging.Copy("gsiftp://localhost:2811/home/a/10k", "file:///home/a/in.7")),
                List.of(new Staging.Copy("file:///home/a/in.7", "gsiftp://127.0.0.2:2812/home/a/out.7")),
                List.of());

        assertThat(CreamSubmission.jdl("Fork", null))
                .isEqualTo("[ Executable = \"/bin/true\"; BatchSystem = \"Fork\"; QueueName = \"default\"; ]");
        assertThat(CreamSubmission.jdl("Fork", files))
                .contains("InputSandbox = { \"gsiftp://localhost:2811/home/a/10k\" };")
                .contains("OutputSandbox = { \"10k\" };")
                .contains("OutputSandboxDestURI = { \"gsiftp://127.0.0.2:2812/home/a/out.7\" };");
    }
}
