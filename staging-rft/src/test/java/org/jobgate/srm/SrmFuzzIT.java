// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.fuzz.JazzerRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives {@link SrmFuzzTest} to Jazzer for a short while at each full run, or for as many seconds as {@code jobgate.fuzz.seconds} says.
 * What it finds is in the test's message, and the input in its output: put it among the seeds of that test.
 */
class SrmFuzzIT {

    private static final int SECONDS = 20;

    @Test
    void nothingThatJazzerTriesBreaksTheDispatcher(@TempDir Path folder) throws Exception {
        List<byte[]> seeds = new ArrayList<>();
        for (Path seed : SrmFuzzTest.seeds()) {
            seeds.add(Files.readAllBytes(seed));
        }
        try (JazzerRun jazzer =
                JazzerRun.of(SrmFuzzTest.class, "org.jobgate.srm.**", seeds, SECONDS, folder.resolve("jazzer"))) {
            jazzer.endsWell();
        }
    }
}
