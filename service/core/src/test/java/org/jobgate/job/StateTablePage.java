// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Locale;

/** Draws the page of states from the table itself. */
final class StateTablePage {

    String render() {
        StringBuilder page = new StringBuilder("""
                # States of a job

                Made by the build from `org.jobgate.job.StateMachine`; do not edit. Every job, whichever front door it came through,
                is in one of these states, and every change is one cell of this table. An empty cell: the event means nothing in that
                state and changes nothing, so that records which are replayed or come late do no harm.

                Hold is a flag beside the state: a job that is asked to be held at STAGE_IN, PENDING, STAGE_OUT or CLEAN_UP reaches that
                state, and its work is not begun before the release.

                A job that fails or is cancelled first has its outcome settled, then is ended in the LRM where it is there, then cleaned
                up; the settled outcome decides which terminal state it reaches.

                """);
        page.append("| event |");
        for (JobState state : JobState.values()) {
            if (!state.isTerminal()) {
                page.append(" from ").append(state).append(" |");
            }
        }
        page.append("\n|---|");
        for (JobState state : JobState.values()) {
            page.append(state.isTerminal() ? "" : "---|");
        }
        page.append('\n');
        for (JobEvent event : JobEvent.values()) {
            row(page, event);
        }
        page.append("\nTerminal states: DONE, FAILED, CANCELLED; no event changes them.\n");
        return page.toString();
    }

    private static void row(StringBuilder page, JobEvent event) {
        page.append("| ")
                .append(event.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .append(" |");
        for (JobState state : JobState.values()) {
            if (!state.isTerminal()) {
                page.append(' ')
                        .append(StateMachine.next(state, event)
                                .map(JobState::name)
                                .orElse(""))
                        .append(" |");
            }
        }
        page.append('\n');
    }
}
