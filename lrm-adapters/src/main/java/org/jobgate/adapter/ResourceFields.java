// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.Gpus;
import org.jobgate.job.Mail;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** The resources of a job as adapters read them: by the words of {@link Resource} ({@code Jobgate::Resources}). */
final class ResourceFields {

    private ResourceFields() {}

    /** The resources that an adapter says it can give; unknown words are left out. */
    static Set<Resource> named(List<String> words) {
        return words.stream()
                .flatMap(word -> Stream.of(Resource.values())
                        .filter(resource -> resource.word().equals(word)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What is asked for. */
    static Map<String, Object> of(Resources asked) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, Resource.SLOTS, asked.slots());
        put(fields, Resource.SLOTS_PER_HOST, asked.slotsPerHost());
        put(fields, Resource.THREADS_PER_PROCESS, asked.threadsPerProcess());
        put(fields, Resource.WHOLE_NODES, asked.wholeNodes() ? 1 : null);
        Gpus gpus = asked.gpus();
        if (gpus != null) {
            put(fields, Resource.GPUS, gpus.number());
            put(fields, Resource.GPU_MODEL, gpus.model());
            put(fields, Resource.GPU_MODE, gpus.mode());
        }
        put(fields, Resource.MEMORY_PER_SLOT, asked.memoryPerSlotMiB());
        put(fields, Resource.MEMORY, asked.memoryMiB());
        ProcessLimits limits = asked.limits();
        if (limits != null) {
            put(fields, Resource.CPU_TIME, seconds(limits.cpuTime()));
            put(fields, Resource.FILE_SIZE, limits.fileSizeBytes());
            put(fields, Resource.CORE_SIZE, limits.coreSizeBytes());
            put(fields, Resource.STACK_SIZE, limits.stackSizeBytes());
            put(fields, Resource.OPEN_FILES, limits.openFiles());
            put(fields, Resource.PROCESSES, limits.processes());
            put(fields, Resource.DATA_SIZE, limits.dataSizeBytes());
            put(fields, Resource.LOCKED_MEMORY, limits.lockedMemoryBytes());
            put(fields, Resource.ADDRESS_SPACE, limits.addressSpaceBytes());
        }
        put(fields, Resource.NODE_FEATURES, orNull(asked.nodeFeatures()));
        put(fields, Resource.HOSTS, orNull(asked.hosts()));
        put(fields, Resource.ARCHITECTURE, asked.architecture());
        put(fields, Resource.OPERATING_SYSTEM, asked.operatingSystem());
        put(fields, Resource.RESERVATION, asked.reservation());
        put(fields, Resource.PRE_COMMAND, orNull(asked.preCommand()));
        put(fields, Resource.POST_COMMAND, orNull(asked.postCommand()));
        Mail mail = asked.mail();
        if (mail != null) {
            put(fields, Resource.MAIL, mail.addresses());
            fields.put("mail_on", mail.events().stream().map(Enum::name).toList());
        }
        return fields;
    }

    private static void put(Map<String, Object> fields, Resource resource, @Nullable Object value) {
        if (value != null) {
            fields.put(resource.word(), value);
        }
    }

    private static @Nullable List<String> orNull(List<String> values) {
        return values.isEmpty() ? null : values;
    }

    /** Rounded up: a limit must not become none. */
    static @Nullable Long seconds(@Nullable Duration time) {
        return time == null ? null : Math.max(1, time.plusNanos(999_999_999).toSeconds());
    }
}
