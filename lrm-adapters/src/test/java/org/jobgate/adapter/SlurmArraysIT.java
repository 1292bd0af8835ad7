// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Extension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Job arrays of a real Slurm. */
class SlurmArraysIT extends ArraysContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SlurmLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
    }

    @Override
    LrmSettings settings(@Nullable Path bin) {
        LrmSettings settings = bin == null ? SlurmLab.settings() : SlurmLab.settings(bin, SlurmLab.CONFIG);
        Map<String, String> options = new HashMap<>(settings.options());
        options.put("array_size", "100");
        return settings.withOptions(options);
    }

    @Override
    String account() {
        return SlurmLab.ACCOUNT;
    }

    @Override
    Path submits() {
        return SlurmLab.BIN.resolve("sbatch");
    }

    @Override
    List<String> otherCommands() {
        return List.of("squeue", "sacct", "scancel", "scontrol", "sinfo");
    }

    @Override
    String mark() {
        return "_";
    }

    @Override
    Map.Entry<String, String> number() {
        return Map.entry("SLURM_ARRAY_TASK_ID", "none");
    }

    @Override
    Extension waits() {
        return new Extension("sbatch", Map.of("name", "begin"), "now+1hour", List.of());
    }

    @Override
    String noAnswer() {
        return "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation";
    }
}
