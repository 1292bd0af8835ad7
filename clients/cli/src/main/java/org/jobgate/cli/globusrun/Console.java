// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;

/** The lines GT's users and scripts know (facts/gram4.md section 4.5). */
final class Console {
    private final PrintStream progress;
    private final PrintStream errors;
    private final boolean isQuiet;

    /** @param progress stdout; stderr where stdout is for the job's EPR */
    Console(PrintStream progress, PrintStream errors, boolean isQuiet) {
        this.progress = requireNonNull(progress, "progress is null");
        this.errors = requireNonNull(errors, "errors is null");
        this.isQuiet = isQuiet;
    }

    /** The beginning of a line that {@link #finish} ends. */
    void begin(String text) {
        if (!isQuiet) {
            progress.print(text);
            progress.flush();
        }
    }

    void finish(String text) {
        line(text);
    }

    void line(String text) {
        if (!isQuiet) {
            progress.println(text);
        }
    }

    void state(JobState state) {
        line("Current job state: " + state.shown());
    }

    void error(String text) {
        progress.flush();
        errors.println("globusrun-ws: " + text);
    }
}
