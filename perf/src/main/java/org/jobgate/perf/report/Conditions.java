// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Under what conditions the figures were taken. A figure without them means nothing.
 *
 * @param loadBefore the load average of one minute at the start
 * @param commit what was measured; with {@code -dirty} where the checkout has changes that are not committed
 * @param filesystem the type of the file system that the store lies on
 * @param fsyncMs the median of 50 forced writes of 4 KiB there: no durable change can be quicker
 * @param processorMs for a fixed work on all processors at once ({@link ProcessorProbe})
 */
public record Conditions(
        String started,
        String machine,
        String kernel,
        int cores,
        long memoryMiB,
        double loadBefore,
        String java,
        String commit,
        String store,
        String filesystem,
        double fsyncMs,
        double processorMs) {

    private static final int PROBE_WRITES = 50;
    private static final int PROBE_BYTES = 4_096;
    private static final String UNKNOWN = "unknown";

    /**
     * Looks around.
     *
     * @param checkout where the sources lie, for the commit
     * @param stateDirectory where the store will lie, for the cost of a forced write
     * @param store what store is used and how durable it is
     */
    public static Conditions now(Clock clock, Path checkout, Path stateDirectory, String store) throws IOException {
        return new Conditions(
                clock.instant().toString(),
                field(Path.of("/proc/cpuinfo"), "model name"),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.getRuntime().availableProcessors(),
                totalMemoryMiB(),
                loadAverage(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                commit(checkout),
                store,
                Files.getFileStore(stateDirectory).type(),
                fsyncMillis(stateDirectory),
                ProcessorProbe.millis());
    }

    /** The load average of the last minute; -1 where the system does not tell. */
    public static double loadAverage() throws IOException {
        Path file = Path.of("/proc/loadavg");
        return Files.exists(file) ? Double.parseDouble(Files.readString(file).split(" ", -1)[0]) : -1;
    }

    private static long totalMemoryMiB() throws IOException {
        String kibibytes = field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "");
        return kibibytes.isEmpty() ? -1 : Long.parseLong(kibibytes) / 1_024;
    }

    private static String field(Path file, String name) throws IOException {
        if (!Files.exists(file)) {
            return UNKNOWN;
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static String commit(Path checkout) {
        String head = git(checkout, "rev-parse", "--short=12", "HEAD");
        if (head.isEmpty()) {
            return UNKNOWN;
        }
        // what earlier runs have left there is no change of what is measured
        String changes = git(checkout, "status", "--porcelain", "--", ".", ":!perf/results", ":!perf/RESULTS.md");
        return changes.isEmpty() ? head : head + "-dirty";
    }

    /** What git says; empty where there is no git or no checkout, which is no reason not to measure. */
    private static String git(Path checkout, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
        } catch (IOException absent) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** The median time of a forced write of 4 KiB there. */
    public static double fsyncMillis(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "fsync", ".probe");
        List<Double> millis = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < PROBE_WRITES; i++) {
                long begin = System.nanoTime();
                channel.write(ByteBuffer.allocate(PROBE_BYTES));
                channel.force(false);
                millis.add((System.nanoTime() - begin) / 1e6);
            }
        } finally {
            Files.delete(file);
        }
        return Spread.of(millis).median();
    }
}
