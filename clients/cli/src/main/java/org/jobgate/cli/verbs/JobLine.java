// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import java.util.List;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.wire.Json;

/** How one job is shown in one line, and what its end means for the process that waited for it. */
final class JobLine {
    /** The states that nothing changes any more. */
    static final List<String> FINAL = List.of("Done", "Failed", "Cancelled");

    private static final int EXIT_MAX = 255;

    private JobLine() {}

    /** E.g. {@code Active (held)}; with a colour on a terminal. */
    static String state(Json job) {
        String state = printable(job.get("state").text());
        String word = job.get("holding").isTrue() ? state + " (held)" : state;
        return Console.isAtTerminal() ? colour(job, state) + word + "\u001b[0m" : word;
    }

    private static String colour(Json job, String state) {
        int code = switch (state) {
            case "Done" -> job.get("exitCode").number(0) == 0 ? 32 : 31;
            case "Failed" -> 31;
            case "Cancelled", "Suspended" -> 33;
            case "Active" -> 36;
            default -> 0;
        };
        return "\u001b[" + code + "m";
    }

    /** The id, the state, and why it is so. */
    static String of(Json job) {
        StringBuilder line =
                new StringBuilder(printable(job.get("id").text())).append("  ").append(state(job));
        if (!job.get("exitCode").isMissing()) {
            line.append(", exit code ").append(job.get("exitCode").text());
        }
        Json fault = job.get("fault");
        String why = fault.isMissing()
                ? job.get("waiting").get("because").text()
                : fault.get("sentence").text() + " " + fault.get("remedy").text();
        if (!why.isBlank()) {
            line.append(": ").append(printable(why.strip()));
        }
        return line.toString();
    }

    /** As {@link Printable#of}. */
    static String printable(String text) {
        return Printable.of(text);
    }

    /** As globusrun-ws ends: with the job's own code, or with 251 where it has none. */
    static int exitStatus(Json job) {
        if (!job.get("state").text().equals("Done")) {
            return ExitStatus.JOB_FAILED.code();
        }
        long code = job.get("exitCode").number(0);
        return code < 0 || code > EXIT_MAX ? EXIT_MAX : (int) code;
    }
}
