// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import org.junit.jupiter.api.Test;

/** What the PBS adapter says to qsub, said to one that others wrote: Slurm's Torque wrappers in the lab. A smoke test only. */
class PbsWrappersIT {

    @Test
    void theWordsOfTheAdapterAreTaken() throws Exception {
        PerlTests.run("pbs-wrappers.t");
    }
}
