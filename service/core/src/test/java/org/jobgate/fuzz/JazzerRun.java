// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Jazzer at work on a class that has a {@code fuzzerTestOneInput}, in a process of its own. What it finds is in the message of {@link #endsWell}, and
 * the input in its output.
 */
public final class JazzerRun implements AutoCloseable {

    /** For one input: the first one loads the classes, beside whatever else the machine does. An input on which a reader hangs takes longer than any time. */
    private static final int SECONDS_FOR_ONE = 150;

    /** To start, and to end the input that is being tried. */
    private static final int PATIENCE = 300;

    private static final int TOLD = 8_000;

    /** What the inputs are made from: a run without the property tries those of the run before, so that what failed fails again. */
    private static final int SEED = 1;

    private final Process jazzer;
    private final Path log;
    private final int seconds;

    private JazzerRun(Process jazzer, Path log, int seconds) {
        this.jazzer = jazzer;
        this.log = log;
        this.seconds = seconds;
    }

    /**
     * Starts it. The inputs follow from the seeds, the code and the system property {@code jobgate.fuzz.seed} (with 0 from chance); how many of them are tried follows from
     * the time.
     *
     * @param usual how many seconds it tries inputs, where the system property {@code jobgate.fuzz.seconds} says nothing else
     * @param instrumented the classes whose paths it follows, as Jazzer has it: {@code org.jobgate.x.**:org.jobgate.y.**}
     * @param seeds inputs to begin with
     * @param folder for its files; empty, or not there yet
     */
    public static JazzerRun of(Class<?> target, String instrumented, List<byte[]> seeds, int usual, Path folder)
            throws IOException {
        int seconds = Integer.getInteger("jobgate.fuzz.seconds", usual);
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        for (int number = 0; number < seeds.size(); number++) {
            Files.write(corpus.resolve("seed-" + number), seeds.get(number));
        }
        Path log = folder.resolve("log");
        Process started = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx1g",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")), // goes with the folder
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.getName(),
                        "--instrumentation_includes=" + instrumented,
                        "-max_total_time=" + seconds,
                        "-seed=" + Integer.getInteger("jobgate.fuzz.seed", SEED),
                        "-timeout=" + SECONDS_FOR_ONE,
                        "-artifact_prefix=" + folder + "/",
                        corpus.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new JazzerRun(started, log, seconds);
    }

    /** Waits until its time is over; fails where it found something, or tried nothing. */
    public void endsWell() throws InterruptedException {
        assertThat(jazzer.waitFor(seconds + PATIENCE, TimeUnit.SECONDS))
                .as(this::told)
                .isTrue();
        assertThat(jazzer.exitValue()).as(this::told).isZero();
        assertThat(said()).as(this::told).containsPattern("Done [1-9][0-9]* runs in");
    }

    private String said() {
        try {
            return Files.readString(log, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "nothing: " + e;
        }
    }

    /** The finding, without the thousands of lines on classes and progress. */
    private String told() {
        String all = said().lines()
                .filter(line -> !line.startsWith("INFO:") && !line.startsWith("#"))
                .collect(Collectors.joining("\n"));
        return all.substring(Math.max(0, all.length() - TOLD));
    }

    @Override
    public void close() {
        jazzer.descendants().forEach(ProcessHandle::destroyForcibly);
        jazzer.destroyForcibly();
    }
}
