// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.config.SelfLimiterConfig;

/** What the self-limiter looks at: the machine, as Linux tells it in /proc, and the service itself. */
public final class Measures {

    private final Path proc;

    /** @param proc the directory where Linux tells of itself */
    Measures(Path proc) {
        this.proc = proc;
    }

    /**
     * All that can be bounded, with the thresholds of the configuration.
     *
     * @param state a directory on the disk that is looked at
     * @param jobs how many jobs are not over
     * @param pending how many jobs wait for a worker
     */
    public static List<SelfLimiter.Threshold> all(
            SelfLimiterConfig config, Path state, LongSupplier jobs, LongSupplier pending) {
        Measures of = new Measures(Path.of("/proc"));
        return List.of(
                new SelfLimiter.Threshold("load1", "the load average of 1 minute", config.load1(), () -> of.load(0)),
                new SelfLimiter.Threshold("load5", "the load average of 5 minutes", config.load5(), () -> of.load(1)),
                new SelfLimiter.Threshold(
                        "load15", "the load average of 15 minutes", config.load15(), () -> of.load(2)),
                new SelfLimiter.Threshold(
                        "memory",
                        "the percentage of memory in use",
                        config.memory(),
                        () -> of.used("MemTotal", "MemAvailable")),
                new SelfLimiter.Threshold(
                        "swap",
                        "the percentage of swap space in use",
                        config.swap(),
                        () -> of.used("SwapTotal", "SwapFree")),
                new SelfLimiter.Threshold(
                        "descriptors",
                        "the number of open file descriptors",
                        config.descriptors(),
                        Measures::descriptors),
                new SelfLimiter.Threshold(
                        "disk",
                        "the percentage of the disk of the state directory in use",
                        config.disk(),
                        () -> disk(state)),
                new SelfLimiter.Threshold(
                        "activeJobs", "the number of live jobs", config.activeJobs(), jobs::getAsLong),
                new SelfLimiter.Threshold(
                        "pendingCommands",
                        "the number of jobs that wait for a worker",
                        config.pendingCommands(),
                        pending::getAsLong));
    }

    /** One of the three load averages. */
    double load(int which) {
        String[] words = read("loadavg").split(" ", -1);
        return which < words.length ? number(words[which]) : Double.NaN;
    }

    /** How many percent of the one is not the other; none of nothing is used. */
    double used(String total, String free) {
        String text = read("meminfo");
        double all = kib(text, total);
        double left = kib(text, free);
        // the round of no number would be 0: nothing in use
        if (Double.isNaN(all) || Double.isNaN(left)) {
            return Double.NaN;
        }
        return all == 0 ? 0 : Math.round(10_000 * (1 - left / all)) / 100.0;
    }

    private static double kib(String text, String name) {
        Matcher line = Pattern.compile("(?m)^" + name + ":\\s+(\\d+) kB$").matcher(text);
        return line.find() ? number(line.group(1)) : Double.NaN;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Empty where it cannot be read: then nothing is known of what it tells. */
    private String read(String name) {
        try {
            return Files.readString(proc.resolve(name), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static double descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getOpenFileDescriptorCount()
                : Double.NaN;
    }

    static double disk(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            long total = store.getTotalSpace();
            return total == 0 ? Double.NaN : Math.round(10_000.0 * (total - store.getUsableSpace()) / total) / 100.0;
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
