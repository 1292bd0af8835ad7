// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jobgate.job.JobState;

/** Job states as people and GRAM write them: {@code StageIn}. */
final class StateWord {

    private StateWord() {}

    static String of(JobState state) {
        return Arrays.stream(state.name().split("_", -1))
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    /** Reads a state in any spelling: {@code StageIn}, {@code STAGE_IN}, {@code stagein}. */
    static JobState parse(String text) {
        return Arrays.stream(JobState.values())
                .filter(state -> of(state).equalsIgnoreCase(text.replaceAll("[_-]", "")))
                .findFirst()
                .orElseThrow(() -> AdminFault.badRequest(
                        "There is no job state " + text + ".",
                        "The states are "
                                + Arrays.stream(JobState.values())
                                        .map(StateWord::of)
                                        .collect(Collectors.joining(", "))
                                + "."));
    }
}
