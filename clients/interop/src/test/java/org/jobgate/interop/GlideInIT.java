// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of a stock HTCondor, through the gateway, become machines of its own pool, run its jobs, and give them back when they are cancelled. */
@ExtendWith(OneGateway.class)
class GlideInIT {

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void aGlideInRunsJobsOfItsSubmittersPoolAndGivesThemBackWhenItIsCancelled(Gateway gateway) throws Exception {
        assertThat(CondorTrial.run("try_glidein.py", pool, gateway)).contains("glide-ins work through this gateway");
    }
}
