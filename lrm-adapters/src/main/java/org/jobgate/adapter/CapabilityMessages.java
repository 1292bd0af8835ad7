// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.lrm.LrmCapabilities;
import org.jspecify.annotations.Nullable;

/** Reads an adapter's answer about what its LRM can and how it is used. */
final class CapabilityMessages {

    private static final int MAX_QUEUES = 1000;
    private static final int MAX_NAME = 128;
    private static final long MAX_WALL_SECONDS = Duration.ofDays(36_500).toSeconds();

    private CapabilityMessages() {}

    /** What an LRM says of itself; rows without a name are left out, and those beyond the bound. */
    static LrmCapabilities capabilities(LrmSettings settings, Fields answer, Instant freshUntil) {
        List<LrmCapabilities.Queue> queues = answer.items("queues").stream()
                .filter(Fields.class::isInstance)
                .map(value -> queue(settings, (Fields) value))
                .filter(queue -> !queue.name().isEmpty())
                .limit(MAX_QUEUES)
                .sorted(Comparator.comparing(queue -> !queue.isDefault()))
                .toList();
        Set<JobType> types = answer.texts("job_types").stream()
                .flatMap(word -> Arrays.stream(JobType.values())
                        .filter(type -> type.name().equalsIgnoreCase(word)))
                .collect(Collectors.toUnmodifiableSet());
        Set<JobState> suspends = answer.texts("suspends").stream()
                .flatMap(word -> Stream.of(JobState.PENDING, JobState.ACTIVE)
                        .filter(state -> state.name().equalsIgnoreCase(word)))
                .collect(Collectors.toUnmodifiableSet());
        return new LrmCapabilities(
                settings.adapter(),
                queues,
                types,
                suspends,
                ResourceFields.named(answer.texts("resources")),
                freshUntil);
    }

    private static LrmCapabilities.Queue queue(LrmSettings settings, Fields row) {
        boolean isWhole = row.number("whole", 0) > 0;
        Long seconds = row.number("max_wall_seconds");
        return new LrmCapabilities.Queue(
                isWhole ? settings.name() : shortened(row.text("name", "")),
                isWhole,
                isWhole || row.number("default", 0) > 0,
                row.number("processors"),
                row.number("free"),
                row.number("running"),
                row.number("waiting"),
                row.number("max_running"),
                seconds == null ? null : Duration.ofSeconds(Math.min(seconds, MAX_WALL_SECONDS)),
                row.number("max_processors"),
                shortenedOrNull(row.text("state")),
                shortenedOrNull(row.text("architecture")),
                row.number("memory_mib"));
    }

    private static @Nullable String shortenedOrNull(@Nullable String text) {
        return text == null ? null : shortened(text);
    }

    private static String shortened(String text) {
        String clean = text.replaceAll("\\p{Cntrl}+", " ");
        return clean.length() <= MAX_NAME ? clean : clean.substring(0, MAX_NAME);
    }
}
