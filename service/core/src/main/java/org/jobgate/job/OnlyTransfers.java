// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run no program: their files are moved, and with that they are done. No LRM has them; what stands in the place of its name is
 * {@link #LRM}. What they copy is their {@code stageIn}, from any server to any other.
 */
public final class OnlyTransfers {

    /** What stands in the place of the LRM of such a job; no LRM can have this name. */
    public static final String LRM = "Transfers";

    private OnlyTransfers() {}

    /** Whether it is such a job. */
    public static boolean is(Job job) {
        return job.lrm().equals(LRM);
    }

    /** Whether the description is of such a job. */
    public static boolean is(JobDescription description) {
        return description.executable().isEmpty() && !description.isMulti();
    }

    /** Whether such a job comes to the state, so that it can be held there: it never waits in an LRM, nor has output that is sent. */
    public static boolean reaches(JobState state) {
        return state != JobState.PENDING
                && state != JobState.ACTIVE
                && state != JobState.SUSPENDED
                && state != JobState.STAGE_OUT;
    }

    /**
     * What of the description only a job with a program can have, by the name of the part, with its value; empty where there is nothing, or
     * the description is of another kind of job.
     */
    public static Optional<Map.Entry<DescriptionPart, String>> needsProgram(JobDescription description) {
        if (!is(description)) {
            return Optional.empty();
        }
        Map<DescriptionPart, Object> parts = new LinkedHashMap<>();
        putUnlessEmpty(parts, DescriptionPart.ARGUMENT, String.join(" ", description.arguments()));
        putUnlessEmpty(parts, DescriptionPart.DIRECTORY, description.directory());
        putUnlessEmpty(parts, DescriptionPart.STDIN, description.stdin());
        putUnlessEmpty(parts, DescriptionPart.STDOUT, description.stdout());
        putUnlessEmpty(parts, DescriptionPart.STDERR, description.stderr());
        if (!description.environment().isEmpty()) {
            parts.put(
                    DescriptionPart.ENVIRONMENT,
                    description.environment().getFirst().name());
        }
        if (description.count() != 1) {
            parts.put(DescriptionPart.COUNT, description.count());
        }
        if (!description.transfers().stageOut().isEmpty()) {
            parts.put(
                    DescriptionPart.STAGE_OUT,
                    description.transfers().stageOut().getFirst().source());
        }
        return parts.entrySet().stream()
                .findFirst()
                .map(entry -> Map.entry(entry.getKey(), String.valueOf(entry.getValue())));
    }

    private static void putUnlessEmpty(
            Map<DescriptionPart, Object> parts, DescriptionPart part, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            parts.put(part, text);
        }
    }
}
