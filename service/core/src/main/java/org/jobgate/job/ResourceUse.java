// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job used in its LRM, as far as that is known. Numbers that cannot be are bounded, not refused: they may have been written by the
 * job itself.
 *
 * @param cpu processor time of all its processes together
 * @param userCpu the part of it outside of the kernel
 * @param systemCpu the part of it inside of the kernel
 * @param peakMemoryKiB the most memory that it had at once; where the LRM does not say it, that of its largest process
 * @param slots how many processors it had
 * @param hosts where it ran, at most {@value #MAX_HOSTS}
 * @param queue of the LRM in which it ran
 * @param measuredBy who measured the processor time
 */
public record ResourceUse(
        @Nullable Duration cpu,
        @Nullable Duration userCpu,
        @Nullable Duration systemCpu,
        @Nullable Long peakMemoryKiB,
        @Nullable Integer slots,
        List<String> hosts,
        @Nullable String queue,
        Source measuredBy) {

    public static final int MAX_HOSTS = 64;
    public static final int MAX_NAME = 255;
    public static final int MAX_SLOTS = 10_000_000;
    public static final long MAX_MEMORY_KIB = 1L << 50;
    public static final Duration MAX_TIME = Duration.ofDays(36_500);

    /** The program that measured. */
    public enum Source {
        /** The LRM: its own record says so. */
        LRM,
        /** The job itself: what started its processes has counted, as the job's account. */
        JOB
    }

    public ResourceUse {
        requireNonNull(measuredBy, "measuredBy is null");
        userCpu = bounded(userCpu);
        systemCpu = bounded(systemCpu);
        cpu = bounded(cpu == null && userCpu != null && systemCpu != null ? userCpu.plus(systemCpu) : cpu);
        peakMemoryKiB = peakMemoryKiB == null ? null : Math.clamp(peakMemoryKiB, 0, MAX_MEMORY_KIB);
        slots = slots == null ? null : Math.clamp(slots, 0, MAX_SLOTS);
        hosts = hosts.stream().map(ResourceUse::name).limit(MAX_HOSTS).toList();
        queue = queue == null ? null : name(queue);
    }

    /** The time, or the nearest one that can be: 0 to {@link #MAX_TIME}. */
    public static @Nullable Duration bounded(@Nullable Duration time) {
        if (time == null) {
            return null;
        }
        if (time.isNegative()) {
            return Duration.ZERO;
        }
        return time.compareTo(MAX_TIME) > 0 ? MAX_TIME : time;
    }

    private static String name(String text) {
        return text.length() <= MAX_NAME ? text : text.substring(0, MAX_NAME);
    }

    /** Whether nothing at all is known. */
    public boolean isEmpty() {
        return cpu == null && peakMemoryKiB == null && slots == null && hosts.isEmpty() && queue == null;
    }
}
