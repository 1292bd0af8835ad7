// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.JobDescription;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** The limits of a POSIXApplication. */
final class Limits {

    private static final long MOST_SIZE = 1L << 60;
    private static final int MOST_COUNT = 10_000_000;
    private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();
    private static final long MIB = 1L << 20;

    /** What setrlimit(2) on Linux has no word for. */
    private static final Map<String, String> NOT_SET = Map.of(
            "PipeSizeLimit",
            "Linux has no limit of a process for the size of its pipes; it holds all pipes of the machine to one");

    private Limits() {}

    /** Reads them into the job and its resources. */
    static void read(Parts application, JobDescription.Builder job, Resources.Builder resources) {
        one(application, "WallTimeLimit").ifPresent(node -> job.maxWallTime(seconds(node)));
        one(application, "MemoryLimit")
                .ifPresent(node -> job.maxMemoryMiB(Math.ceilDiv(Parts.number(node, 1, MOST_SIZE), MIB)));
        NOT_SET.forEach((name, why) -> one(application, name).ifPresent(node -> {
            throw JsdlFaults.unsupported(node, why, "Leave it out.");
        }));
        ProcessLimits limits = new ProcessLimits(
                one(application, "CPUTimeLimit").map(Limits::seconds).orElse(null),
                size(application, "FileSizeLimit", 0),
                size(application, "CoreDumpLimit", 0),
                size(application, "StackSizeLimit", 64 * 1024),
                count(application, "OpenDescriptorsLimit"),
                // Linux counts threads as processes
                less(count(application, "ProcessCountLimit"), count(application, "ThreadCountLimit")),
                size(application, "DataSegmentLimit", 64 * 1024),
                size(application, "LockedMemoryLimit", 0),
                size(application, "VirtualMemoryLimit", MIB));
        if (!limits.equals(ProcessLimits.NONE)) {
            resources.limits(limits);
        }
    }

    private static Optional<Node> one(Parts application, String name) {
        return application.one(Names.of(Names.POSIX, name));
    }

    private static Duration seconds(Node node) {
        return Duration.ofSeconds(Parts.number(node, 1, MOST_SECONDS));
    }

    private static @Nullable Long size(Parts application, String name, long least) {
        return one(application, name)
                .map(node -> Parts.number(node, least, MOST_SIZE))
                .orElse(null);
    }

    private static @Nullable Integer count(Parts application, String name) {
        return one(application, name)
                .map(node -> (int) Parts.number(node, 1, MOST_COUNT))
                .orElse(null);
    }

    private static @Nullable Integer less(@Nullable Integer one, @Nullable Integer other) {
        return one == null || other == null ? (one == null ? other : one) : Integer.valueOf(Math.min(one, other));
    }

    /** A limit as it is written. */
    record Written(QName name, String value) {}

    /** The limits of a job in the order of the schema. */
    static List<Written> written(JobDescription job) {
        Resources resources = job.resources() == null ? Resources.NONE : job.resources();
        ProcessLimits limits = resources.limits() == null ? ProcessLimits.NONE : resources.limits();
        List<Written> all = new ArrayList<>();
        add(all, "WallTimeLimit", job.maxWallTime());
        add(all, "FileSizeLimit", limits.fileSizeBytes());
        add(all, "CoreDumpLimit", limits.coreSizeBytes());
        add(all, "DataSegmentLimit", limits.dataSizeBytes());
        add(all, "LockedMemoryLimit", limits.lockedMemoryBytes());
        Long memory = job.maxMemoryMiB();
        add(all, "MemoryLimit", memory == null || memory > MOST_SIZE / MIB ? null : memory * MIB);
        add(all, "OpenDescriptorsLimit", limits.openFiles());
        add(all, "StackSizeLimit", limits.stackSizeBytes());
        add(all, "CPUTimeLimit", limits.cpuTime());
        add(all, "ProcessCountLimit", limits.processes());
        add(all, "VirtualMemoryLimit", limits.addressSpaceBytes());
        return all;
    }

    private static void add(List<Written> all, String name, @Nullable Object value) {
        if (value instanceof Duration time) {
            // in whole seconds; what that loses is written as a word of ours
            all.add(new Written(
                    Names.of(Names.POSIX, name),
                    Long.toString(time.plusNanos(999_999_999).toSeconds())));
        } else if (value != null) {
            all.add(new Written(Names.of(Names.POSIX, name), value.toString()));
        }
    }
}
