// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Faults of Slurm's commands do jobs no harm. */
class SlurmFaultsIT extends LrmFaults {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SlurmLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
    }

    @Override
    String account() {
        return SlurmLab.ACCOUNT;
    }

    @Override
    List<Path> commands() {
        return Stream.of("sbatch", "squeue", "sacct", "scancel", "scontrol", "sinfo")
                .map(SlurmLab.BIN::resolve)
                .toList();
    }

    @Override
    ContractRoom openRoom(Path bin) throws IOException {
        return new ContractRoom(
                SlurmLab.ACCOUNT, SlurmLab.settings(bin, SlurmLab.CONFIG).withRequestTimeout(REQUEST_TIMEOUT));
    }
}
