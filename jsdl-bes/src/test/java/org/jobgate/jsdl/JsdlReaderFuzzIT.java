// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.fuzz.JazzerRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives {@link JsdlReaderFuzzTest} to Jazzer for a short while at each full run, or for as many seconds as {@code jobgate.fuzz.seconds} says.
 * What it finds is in the test's message, and the input in its output: put it among the documents of that test.
 */
class JsdlReaderFuzzIT {

    private static final int SECONDS = 20;

    @Test
    void nothingThatJazzerTriesBreaksTheReader(@TempDir Path folder) throws Exception {
        List<byte[]> seeds = new ArrayList<>();
        for (String document : JsdlReaderFuzzTest.documents()) {
            seeds.add(document.getBytes(StandardCharsets.UTF_8));
        }
        try (JazzerRun jazzer = JazzerRun.of(
                JsdlReaderFuzzTest.class, "org.jobgate.jsdl.**", seeds, SECONDS, folder.resolve("jazzer"))) {
            jazzer.endsWell();
        }
    }
}
