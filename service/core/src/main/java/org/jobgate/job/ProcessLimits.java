// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The most that each process of a job may use: set on the machine that runs it, right before the program begins (setrlimit(2)). A lower
 * limit of the site's own stays. Absent: the site's.
 *
 * @param cpuTime of its own; a process that is over it gets SIGXCPU, and SIGKILL 5 s later
 * @param fileSizeBytes of a file that it writes (RLIMIT_FSIZE)
 * @param coreSizeBytes of its core file; 0: none (RLIMIT_CORE)
 * @param stackSizeBytes of its stack (RLIMIT_STACK)
 * @param openFiles file descriptors (RLIMIT_NOFILE)
 * @param processes of its account on that machine, all jobs together (RLIMIT_NPROC)
 * @param dataSizeBytes of its data: what it allocates, in whatever way (RLIMIT_DATA)
 * @param lockedMemoryBytes that it may keep from being swapped (RLIMIT_MEMLOCK)
 * @param addressSpaceBytes of all that it maps, used or not (RLIMIT_AS)
 */
public record ProcessLimits(
        @Nullable Duration cpuTime,
        @Nullable Long fileSizeBytes,
        @Nullable Long coreSizeBytes,
        @Nullable Long stackSizeBytes,
        @Nullable Integer openFiles,
        @Nullable Integer processes,
        @Nullable Long dataSizeBytes,
        @Nullable Long lockedMemoryBytes,
        @Nullable Long addressSpaceBytes) {

    /** No limit. */
    public static final ProcessLimits NONE = new ProcessLimits(null, null, null, null, null, null);

    private static final long LEAST_DATA = 64 * 1024;
    private static final long LEAST_ADDRESS_SPACE = 1024 * 1024;

    public ProcessLimits {
        if (cpuTime != null && (cpuTime.isNegative() || cpuTime.isZero())) {
            throw new IllegalArgumentException("cpu_time is " + cpuTime + "; it must be more than nothing");
        }
        ResourceValues.requireSize("file_size", fileSizeBytes, 0);
        ResourceValues.requireSize("core_size", coreSizeBytes, 0);
        // less than that no program starts with
        ResourceValues.requireSize("stack_size", stackSizeBytes, 64 * 1024);
        ResourceValues.requireCount("open_files", openFiles);
        ResourceValues.requireCount("processes", processes);
        ResourceValues.requireSize("data_size", dataSizeBytes, LEAST_DATA);
        ResourceValues.requireSize("locked_memory", lockedMemoryBytes, 0);
        ResourceValues.requireSize("address_space", addressSpaceBytes, LEAST_ADDRESS_SPACE);
    }

    /** Limits with no limit of memory but that of the stack. */
    public ProcessLimits(
            @Nullable Duration cpuTime,
            @Nullable Long fileSizeBytes,
            @Nullable Long coreSizeBytes,
            @Nullable Long stackSizeBytes,
            @Nullable Integer openFiles,
            @Nullable Integer processes) {
        this(cpuTime, fileSizeBytes, coreSizeBytes, stackSizeBytes, openFiles, processes, null, null, null);
    }
}
