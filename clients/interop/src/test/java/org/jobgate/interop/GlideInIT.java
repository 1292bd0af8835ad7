// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of a stock HTCondor, through the gateway, become machines of its own pool, run its jobs, and give them back when they are cancelled. */
@ExtendWith(OneGateway.class)
class GlideInIT {

    /** What {@code try_glidein.py} ends with where there is no HTCondor. */
    private static final int NO_HTCONDOR = 77;

    /** It takes a minute where nothing else runs; a single wait of {@code try_glidein.py} may take a minute and a half. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void aGlideInRunsJobsOfItsSubmittersPoolAndGivesThemBackWhenItIsCancelled(Gateway gateway) throws Exception {
        Path trial = Checkout.directory().resolve("clients/condor-g/tests/try_glidein.py");
        Programs.Result result = new Programs(
                        gateway.directory(), gateway.clients().environment())
                .run(
                        List.of(
                                "python3",
                                "-B",
                                trial.toString(),
                                pool.toString(),
                                "https://localhost:" + gateway.port(),
                                gateway.clients().environment().getOrDefault("X509_USER_PROXY", ""),
                                gateway.trustDirectory().toString()),
                        PATIENCE);
        assumeTrue(result.status() != NO_HTCONDOR, () -> result.output());
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("glide-ins work through this gateway");
    }
}
