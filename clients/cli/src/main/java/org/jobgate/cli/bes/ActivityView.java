// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * An activity as its status tells it.
 *
 * @param state of the basic model
 * @param subState ours; null where there is none
 * @param exitCode of its program; null where there is none
 * @param reason why it failed; null where nothing is said
 * @param counts of the points of a sweep, each as words; empty for one activity
 */
record ActivityView(
        String state,
        @Nullable String subState,
        @Nullable Integer exitCode,
        @Nullable String reason,
        List<String> counts) {

    /** What is no sub-state among the elements of a status. */
    private static final List<String> DETAILS = List.of("ExitCode", "Reason", "Waits", "Points");

    ActivityView {
        requireNonNull(state, "state is null");
        counts = List.copyOf(counts);
    }

    static ActivityView of(XmlElement status) {
        String state = status.attribute("", "state");
        String code = status.childText(BesService.OURS, "ExitCode");
        XmlElement points = status.child(BesService.OURS, "Points");
        List<String> counts = new ArrayList<>();
        if (points != null) {
            for (XmlElement count : points.children()) {
                counts.add(count.text().strip() + " " + count.attribute("", "state"));
            }
        }
        return new ActivityView(
                state == null ? "unknown" : state,
                status.children().stream()
                        .filter(child -> child.namespace().equals(BesService.OURS) && !DETAILS.contains(child.name()))
                        .map(XmlElement::name)
                        .findFirst()
                        .orElse(null),
                code != null && code.matches("[0-9]{1,9}") ? Integer.valueOf(code) : null,
                status.childText(BesService.OURS, "Reason"),
                counts);
    }

    boolean isOver() {
        return state.equals("Finished") || state.equals("Failed") || state.equals("Cancelled");
    }

    /** One line for people. */
    String line() {
        StringBuilder line = new StringBuilder(state);
        if (subState != null) {
            line.append(" (").append(subState).append(')');
        }
        if (exitCode != null) {
            line.append(", exit code ").append(exitCode);
        }
        if (!counts.isEmpty()) {
            line.append(": ").append(String.join(", ", counts));
        }
        return line.toString();
    }

    /** What the process ends with whose activity ended like this. */
    int exitStatus() {
        if (exitCode != null) {
            return exitCode;
        }
        return state.equals("Finished") ? ExitStatus.OK.code() : ExitStatus.JOB_FAILED.code();
    }
}
