// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a run have used: the gateway's and the peers' daemons, each with the processes that it started and that have ended.
 * Those that the gateway started are its workers, also where they have been let go because nobody needed them any more.
 * Processes are known by the names of their programs; what runs beside the lab under the same names is counted as well.
 */
public final class Servers {

    private static final String OURS = "Jobgate";
    private static final String OUR_WORKERS = "Jobgate's workers";
    private static final Map<String, String> PROGRAMS = programs();

    private final Map<String, Used> before;

    private Servers(Map<String, Used> before) {
        this.before = before;
    }

    /**
     * What the servers of one kind use.
     *
     * @param processes that run now
     * @param cpuSeconds user and system
     * @param residentMiB memory in RAM now, shared parts counted for each process
     */
    public record Used(int processes, double cpuSeconds, double residentMiB) {

        private static final Used NOTHING = new Used(0, 0, 0);

        private static Used itself(ProcessFigures process) {
            return new Used(1, process.cpuSeconds(), process.residentMiB());
        }

        private static Used ended(ProcessFigures parent) {
            return new Used(0, parent.waitedForCpuSeconds(), 0);
        }

        private Used plus(ProcessFigures process) {
            return new Used(
                    processes + 1,
                    cpuSeconds + process.cpuSeconds() + process.waitedForCpuSeconds(),
                    residentMiB + process.residentMiB());
        }

        private Used since(Used earlier) {
            return new Used(processes, Math.max(0, cpuSeconds - earlier.cpuSeconds), residentMiB);
        }
    }

    private static Map<String, String> programs() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("condor_", "HTCondor");
        names.put("slurm", "Slurm");
        names.put("globus-gatekeep", "GRAM5");
        names.put("globus-job-mana", "GRAM5");
        names.put("globus-schedule", "GRAM5");
        names.put("globus-gridftp-", "GridFTP servers");
        names.put("arched", "A-REX");
        names.put("nginx", "nginx");
        return names;
    }

    /** From now on. */
    public static Servers now() throws IOException {
        return new Servers(look(OptionalLong.empty()));
    }

    /**
     * What has been used since then, by name; those that used less than a hundredth of a second are left out.
     *
     * @param gateway its process, if it runs: its figures are of its whole life
     */
    public Map<String, Used> used(OptionalLong gateway) throws IOException {
        Map<String, Used> since = new TreeMap<>();
        look(requireNonNull(gateway, "gateway is null")).forEach((name, used) -> {
            Used difference = used.since(before.getOrDefault(name, Used.NOTHING));
            if (difference.cpuSeconds() >= 0.01) {
                since.put(name, difference);
            }
        });
        return since;
    }

    private static Map<String, Used> look(OptionalLong gateway) throws IOException {
        Map<String, Used> found = new TreeMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                String kind = kindIfAlive(pid, gateway);
                ProcessFigures figures = kind.isEmpty() ? null : figuresIfAlive(pid);
                if (figures != null && kind.equals(OURS)) {
                    found.put(OURS, Used.itself(figures));
                    found.merge(OUR_WORKERS, Used.ended(figures), Servers::together);
                } else if (figures != null) {
                    found.merge(kind, Used.NOTHING.plus(figures), Servers::together);
                }
            }
        }
        return found;
    }

    private static String kindIfAlive(long pid, OptionalLong gateway) {
        try {
            return kind(pid, gateway);
        } catch (IOException ended) {
            return "";
        }
    }

    /** Null for one that has ended: what it used is its parent's then. */
    private static @Nullable ProcessFigures figuresIfAlive(long pid) {
        try {
            return ProcessFigures.of(pid);
        } catch (IOException ended) {
            return null;
        }
    }

    private static Used together(Used one, Used other) {
        return new Used(
                one.processes + other.processes,
                one.cpuSeconds + other.cpuSeconds,
                one.residentMiB + other.residentMiB);
    }

    private static String kind(long pid, OptionalLong gateway) throws IOException {
        if (gateway.isPresent() && gateway.getAsLong() == pid) {
            return OURS;
        }
        String name =
                Files.readString(Path.of("/proc", Long.toString(pid), "comm")).strip();
        if (gateway.isPresent() && isOurWorker(pid, name)) {
            return OUR_WORKERS;
        }
        return PROGRAMS.entrySet().stream()
                .filter(program -> name.startsWith(program.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static boolean isOurWorker(long pid, String name) throws IOException {
        return (name.equals("perl") || name.equals("jobgate-worker"))
                && Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1)
                        .contains("/jobgate-worker\0");
    }
}
