// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jobgate.adl.AdlReaderFuzzTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives {@link AdlReaderFuzzTest} and {@link XrslReaderFuzzTest} to Jazzer for a short while at each full run, both at the same time, or for as
 * many seconds as {@code jobgate.fuzz.seconds} says. What it finds is in the test's message, and the input in its output: put it among the seeds of
 * that test.
 */
class DescriptionsFuzzIT {

    private static final int SECONDS = Integer.getInteger("jobgate.fuzz.seconds", 15);

    /** To start, and to end the input that is being tried. */
    private static final int PATIENCE = 180;

    private record Run(Process jazzer, Path log) implements AutoCloseable {

        static Run of(Class<?> target, List<String> seeds, Path folder) throws IOException {
            Path corpus = Files.createDirectories(folder.resolve("corpus"));
            for (int number = 0; number < seeds.size(); number++) {
                Files.writeString(corpus.resolve("seed-" + number), seeds.get(number), StandardCharsets.UTF_8);
            }
            Path log = folder.resolve("log");
            return new Run(
                    new ProcessBuilder(List.of(
                                    Path.of(System.getProperty("java.home"), "bin/java")
                                            .toString(),
                                    "-Xmx1g",
                                    "-XX:+EnableDynamicAgentLoading",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "com.code_intelligence.jazzer.Jazzer",
                                    "--target_class=" + target.getName(),
                                    "--instrumentation_includes=org.jobgate.adl.**:org.jobgate.xrsl.**",
                                    "-max_total_time=" + SECONDS,
                                    "-timeout=60", // the first input loads the classes, beside whatever else the
                                    // machine does
                                    "-artifact_prefix=" + folder + "/",
                                    corpus.toString()))
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log);
        }

        void endsWell() throws InterruptedException {
            assertThat(jazzer.waitFor(SECONDS + PATIENCE, TimeUnit.SECONDS))
                    .as(this::said)
                    .isTrue();
            assertThat(jazzer.exitValue()).as(this::said).isZero();
            assertThat(said()).containsPattern("Done [1-9][0-9]* runs in");
        }

        /** The end of it: there the finding is. */
        private String said() {
            try {
                String all = Files.readString(log, StandardCharsets.ISO_8859_1);
                return all.substring(Math.max(0, all.length() - 20_000));
            } catch (IOException e) {
                return "nothing: " + e;
            }
        }

        @Override
        public void close() {
            jazzer.descendants().forEach(ProcessHandle::destroyForcibly);
            jazzer.destroyForcibly();
        }
    }

    @Test
    void nothingThatJazzerTriesBreaksTheReaders(@TempDir Path folder) throws Exception {
        try (Run adl = Run.of(AdlReaderFuzzTest.class, AdlReaderFuzzTest.seeds().toList(), folder.resolve("adl"));
                Run xrsl = Run.of(
                        XrslReaderFuzzTest.class, XrslReaderFuzzTest.seeds().toList(), folder.resolve("xrsl"))) {
            adl.endsWell();
            xrsl.endsWell();
        }
    }
}
