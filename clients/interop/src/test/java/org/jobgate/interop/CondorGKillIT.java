// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of a stock HTCondor by both its grid types while the gateway, and HTCondor's gridmanager with its GAHPs and its schedd, are killed as a power failure
 * would.
 * {@code try_kills.py} has the same with any number of jobs and kills.
 */
class CondorGKillIT {

    private static final int JOBS = 40;
    private static final int KILLS = 1;

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void eachJobRunsOnceAndEndsAsItsProgramDid() throws Exception {
        // cleaned jobs stay until a gridmanager that is started again has asked for them, and go before the test ends;
        // the
        // sessions have a directory of their own, because other gateways of this account have jobs at the same time
        String sessions = ".jobgate/arc-" + ProcessHandle.current().pid();
        try (Gateway gateway = Gateway.startWith("arc: { keepCleaned: 25s, sessions: " + sessions + " }\n")) {
            try {
                killed(gateway);
            } finally {
                Programs clients = gateway.clients();
                Path home = clients.home(System.getProperty("user.name"));
                clients.runWell(List.of("rm", "-rf", home.resolve(sessions).toString()));
            }
        }
    }

    private void killed(Gateway gateway) throws Exception {
        String told = CondorTrial.run(
                "try_kills.py",
                pool,
                gateway,
                gateway.directory().resolve("jobgate.yaml").toString(),
                Integer.toString(JOBS),
                Integer.toString(KILLS),
                Integer.toString(KILLS),
                Integer.toString(KILLS));
        assertThat(told).contains("each of " + JOBS + " jobs ran once");
    }
}
