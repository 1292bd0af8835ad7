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
 */
public record ProcessLimits(
        @Nullable Duration cpuTime,
        @Nullable Long fileSizeBytes,
        @Nullable Long coreSizeBytes,
        @Nullable Long stackSizeBytes,
        @Nullable Integer openFiles,
        @Nullable Integer processes) {

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
    }
}
