// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** 200 jobs under faults of OpenPBS's commands, as the stand-in has them. */
class PbsOpenpbsFaultsIT extends PbsFaults {

    private static @Nullable PbsStandin standin;

    @BeforeAll
    static void begin() throws IOException, InterruptedException {
        standin = new PbsStandin("openpbs", "kill_delay=1");
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        requireNonNull(standin).close();
    }

    @Override
    PbsStandin pbs() {
        return requireNonNull(standin);
    }
}
