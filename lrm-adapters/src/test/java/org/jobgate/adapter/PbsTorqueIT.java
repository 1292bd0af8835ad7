// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The dialect of TORQUE, by its stand-in. */
class PbsTorqueIT extends PbsContract {

    private static @Nullable PbsStandin standin;

    @BeforeAll
    static void begin() throws IOException, InterruptedException {
        standin = new PbsStandin("torque", "kill_delay=1");
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
