// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux says of a process (proc(5)).
 *
 * @param residentMiB memory in RAM now
 * @param peakResidentMiB the most it ever had
 * @param cpuSeconds what it has used, user and system
 * @param waitedForCpuSeconds what its children have used that it has waited for, and theirs
 */
public record ProcessFigures(
        double residentMiB, double peakResidentMiB, double cpuSeconds, double waitedForCpuSeconds) {

    /** {@code sysconf(_SC_CLK_TCK)} is 100 on every Linux that runs a JVM. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS_FIELD = 11;
    private static final int SYSTEM_TICKS_FIELD = 12;
    private static final int CHILDREN_USER_TICKS_FIELD = 13;
    private static final int CHILDREN_SYSTEM_TICKS_FIELD = 14;

    /** Reads the figures of a live process. */
    public static ProcessFigures of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        return parse(
                Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1),
                Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1));
    }

    /** Those of this process. */
    public static ProcessFigures ofThis() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    static ProcessFigures parse(String status, String stat) throws IOException {
        // the name in parentheses may hold spaces and parentheses itself
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessFigures(
                mebibytes(status, "VmRSS:"),
                mebibytes(status, "VmHWM:"),
                seconds(fields, USER_TICKS_FIELD, SYSTEM_TICKS_FIELD),
                seconds(fields, CHILDREN_USER_TICKS_FIELD, CHILDREN_SYSTEM_TICKS_FIELD));
    }

    private static double seconds(String[] fields, int user, int system) {
        return (Double.parseDouble(fields[user]) + Double.parseDouble(fields[system])) / TICKS_PER_SECOND;
    }

    private static double mebibytes(String status, String name) throws IOException {
        String line = status.lines()
                .filter(candidate -> candidate.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IOException("the process has no " + name + ": has it ended?"));
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1_024;
    }
}
