// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.cli.command.Console;

/** GT's line for each state; while nothing happens, the service's reason for that, and for a person at a terminal also a passing line. */
final class Progress implements JobWatch.News {
    private static final long SILENCE_SECONDS_MIN = 10;

    private final Console console;
    private String toldReason = "";

    Progress(Console console) {
        this.console = requireNonNull(console, "console is null");
    }

    @Override
    public void changed(JobState state) {
        console.line(state.line());
        toldReason = "";
    }

    @Override
    public void unchanged(JobState state, Duration since, String reason) {
        if (!reason.isEmpty() && !reason.equals(toldReason)) {
            toldReason = reason;
            console.note(JobState.because(reason));
        }
        if (since.toSeconds() >= SILENCE_SECONDS_MIN) {
            String hint = state.holding() ? "; globusrun-ws -release lets it go on" : "";
            console.passing("(" + state.shown() + " for " + inWords(since) + hint + ")");
        }
    }

    static String inWords(Duration time) {
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toSeconds() + " s";
    }
}
