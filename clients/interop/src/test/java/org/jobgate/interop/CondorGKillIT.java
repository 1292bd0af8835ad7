// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of a stock HTCondor by both its grid types while the gateway, and HTCondor's gridmanager with its GAHPs, are killed as a power failure would.
 * {@code try_kills.py} has the same with any number of jobs and kills.
 */
class CondorGKillIT {

    /** What {@code try_kills.py} ends with where there is no HTCondor. */
    private static final int NO_HTCONDOR = 77;

    private static final int JOBS = 40;
    private static final int KILLS = 1;

    /** It takes a minute where nothing else runs; the end of all jobs alone may take {@code try_kills.py} five. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void eachJobRunsOnceAndEndsAsItsProgramDid() throws Exception {
        // cleaned jobs stay long enough for a gridmanager that is started again, and are seen to go
        // other gateways of this account have jobs meanwhile, whose session directories come and go
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
        Path trial = Checkout.directory().resolve("clients/condor-g/tests/try_kills.py");
        Programs.Result result = new Programs(
                        gateway.directory(), gateway.clients().environment())
                .run(
                        List.of(
                                "python3",
                                "-B",
                                trial.toString(),
                                pool.toString(),
                                "https://localhost:" + gateway.port(),
                                gateway.proxy().toString(),
                                gateway.trustDirectory().toString(),
                                gateway.directory().resolve("jobgate.yaml").toString(),
                                Integer.toString(JOBS),
                                Integer.toString(KILLS),
                                Integer.toString(KILLS)),
                        PATIENCE);
        assumeTrue(result.status() != NO_HTCONDOR, () -> result.output());
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("each of " + JOBS + " jobs ran once");
    }
}
