// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A stock HTCondor, as a personal pool of an ordinary user, submits through {@code jobgate-gahp}. */
@ExtendWith(OneGateway.class)
class CondorGBatchIT {

    /** Outside of the gateway's directory, which the pool's account cannot reach. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path pool;

    @Test
    void filesExitCodesSignalsHoldReasonsAndRemovalsWorkAndNothingThatIsKilledDoublesAJob(Gateway gateway)
            throws Exception {
        assertThat(CondorTrial.run("try_htcondor.py", pool, gateway))
                .contains("stock HTCondor works with this gateway");
    }
}
