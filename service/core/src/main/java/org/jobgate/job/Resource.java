// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Locale;

/**
 * One kind of what a job can ask of its LRM in {@link Resources}. An LRM gives a job such a resource, or is known not to: then a job that
 * asks for it is refused by this name.
 */
public enum Resource {
    SLOTS,
    SLOTS_PER_HOST,
    THREADS_PER_PROCESS,
    WHOLE_NODES,
    GPUS,
    GPU_MODEL,
    GPU_MODE,
    MEMORY_PER_SLOT,
    MEMORY,
    CPU_TIME,
    FILE_SIZE,
    CORE_SIZE,
    STACK_SIZE,
    OPEN_FILES,
    PROCESSES,
    DATA_SIZE,
    LOCKED_MEMORY,
    ADDRESS_SPACE,
    NODE_FEATURES,
    HOSTS,
    ARCHITECTURE,
    OPERATING_SYSTEM,
    RESERVATION,
    PRE_COMMAND,
    POST_COMMAND,
    MAIL;

    /** As refusals and adapters name it, e.g. {@code slots_per_host}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
