// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the gridmanager of a stock HTCondor leaves at the gateway when it is killed in the grid type {@code arc} without the transform that keeps it from
 * submitting a job twice. {@code try_orphans.py} has the same with any number of jobs and kills, and waits until the gateway has forgotten them.
 */
class CondorGOrphanIT {

    private static final int JOBS = 6;
    private static final int KILLS = 2;

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void whatAKillLeavesNeverRunsAndIsEnded(TestReporter reporter) throws Exception {
        // other gateways of this account have sessions at the same time
        String sessions = ".jobgate/arc-orphans-" + ProcessHandle.current().pid();
        try (Gateway gateway = Gateway.startWith("arc: { inputWait: 20s, sessions: " + sessions + " }\n")) {
            try {
                String told = CondorTrial.run(
                        "try_orphans.py",
                        pool,
                        gateway,
                        gateway.directory().resolve("jobgate.yaml").toString(),
                        Integer.toString(JOBS),
                        Integer.toString(KILLS));
                reporter.publishEntry(told);
                assertThat(told)
                        .contains("each of " + JOBS + " jobs ran once")
                        .containsPattern("(?m)^[1-9]\\d* orphans of [1-9]\\d* kills$");
            } finally {
                Programs clients = gateway.clients();
                Path home = clients.home(System.getProperty("user.name"));
                clients.runWell(List.of("rm", "-rf", home.resolve(sessions).toString()));
            }
        }
    }
}
