// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives {@link SrmFuzzTest} to Jazzer for a short while at each full run, or for as many seconds as {@code jobgate.fuzz.seconds} says.
 * What it finds is in the test's message, and the input in its output: put it among the seeds of that test.
 */
class SrmFuzzIT {

    private static final int SECONDS = Integer.getInteger("jobgate.fuzz.seconds", 20);

    /** To start, and to end the input that is being tried. */
    private static final int PATIENCE = 180;

    @Test
    void nothingThatJazzerTriesBreaksTheDispatcher(@TempDir Path folder) throws Exception {
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (Path seed : SrmFuzzTest.seeds()) {
            Files.copy(seed, corpus.resolve(seed.getFileName()));
        }
        Path log = folder.resolve("log");
        Process jazzer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx1g",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir="
                                + Files.createDirectory(folder.resolve("tmp")), // the target's trees and store
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + SrmFuzzTest.class.getName(),
                        "--instrumentation_includes=org.jobgate.srm.**",
                        "-max_total_time=" + SECONDS,
                        "-timeout=60", // the first input loads the classes, beside whatever else the machine does
                        "-artifact_prefix=" + folder + "/",
                        corpus.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(SECONDS + PATIENCE, TimeUnit.SECONDS))
                    .as(() -> said(log))
                    .isTrue();
        } finally {
            jazzer.descendants().forEach(ProcessHandle::destroyForcibly);
            jazzer.destroyForcibly();
        }
        assertThat(jazzer.exitValue()).as(() -> said(log)).isZero();
        assertThat(said(log)).containsPattern("Done [1-9][0-9]* runs in");
    }

    /** The end of it: there the finding is. */
    private static String said(Path log) {
        try {
            String all = Files.readString(log, StandardCharsets.ISO_8859_1);
            return all.substring(Math.max(0, all.length() - 20_000));
        } catch (IOException e) {
            return "nothing: " + e;
        }
    }
}
