// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import org.junit.jupiter.api.Test;

/** The example adapter of {@code docs/internals/adding-an-lrm.md} runs jobs in a real task-spooler. */
class TaskSpoolerIT {

    @Test
    void runsJobs() throws Exception {
        PerlTests.run("tsp.t");
    }
}
