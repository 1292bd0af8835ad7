// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.job.JobState;

/** Job states as people write them: {@code StageIn}. */
final class StateWord {

    private static final Map<JobState, String> WORDS = words();

    private StateWord() {}

    private static Map<JobState, String> words() {
        Map<JobState, String> words = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            words.put(
                    state,
                    Arrays.stream(state.name().split("_", -1))
                            .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining()));
        }
        return words;
    }

    static String of(JobState state) {
        return WORDS.getOrDefault(state, state.name());
    }

    /** The state of this name, in any case of letters. */
    static Optional<JobState> parse(String text) {
        return WORDS.entrySet().stream()
                .filter(word -> word.getValue().equalsIgnoreCase(text))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Their names, for a sentence. */
    static String all() {
        return String.join(", ", WORDS.values());
    }
}
