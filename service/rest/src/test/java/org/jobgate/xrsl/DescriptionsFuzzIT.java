// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jobgate.adl.AdlReaderFuzzTest;
import org.jobgate.fuzz.JazzerRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives {@link AdlReaderFuzzTest} and {@link XrslReaderFuzzTest} to Jazzer for a short while at each full run, both at the same time, or for as
 * many seconds as {@code jobgate.fuzz.seconds} says. What it finds is in the test's message, and the input in its output: put it among the seeds of
 * that test.
 */
class DescriptionsFuzzIT {

    private static final int SECONDS = 15;

    private static JazzerRun jazzer(Class<?> target, Stream<String> seeds, Path folder) throws IOException {
        return JazzerRun.of(
                target,
                "org.jobgate.adl.**:org.jobgate.xrsl.**",
                seeds.map(seed -> seed.getBytes(StandardCharsets.UTF_8)).toList(),
                SECONDS,
                folder);
    }

    @Test
    void nothingThatJazzerTriesBreaksTheReaders(@TempDir Path folder) throws Exception {
        try (JazzerRun adl = jazzer(AdlReaderFuzzTest.class, AdlReaderFuzzTest.seeds(), folder.resolve("adl"));
                JazzerRun xrsl = jazzer(XrslReaderFuzzTest.class, XrslReaderFuzzTest.seeds(), folder.resolve("xrsl"))) {
            adl.endsWell();
            xrsl.endsWell();
        }
    }
}
