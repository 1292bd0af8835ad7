// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs that run before and after the job's own, while its description is read. */
final class ExtraPrograms {

    private final ActivityFaults faults;
    private List<String> preCommand = List.of();
    private List<String> postCommand = List.of();

    ExtraPrograms(ActivityFaults faults) {
        this.faults = requireNonNull(faults, "faults is null");
    }

    /** Takes what runs before the job's program; without a code it must end with, whatever it ends with is good. */
    void before(String part, List<String> command, @Nullable Integer code) {
        if (!preCommand.isEmpty()) {
            throw faults.unsupported(
                    part,
                    "one program can run before the job's own, and it asks for two",
                    "Put what is to be done before the job into one script.");
        }
        if (code != null && code != 0) {
            throw faults.unsupported(
                    part, "a program before the job's own is good when it ends with 0", "Require the exit code 0.");
        }
        preCommand = code == null ? Unfailing.of(command) : command;
    }

    /** Takes what runs after the job's program; whatever it ends with is good. */
    void after(String part, List<String> command, @Nullable Integer code) {
        if (!postCommand.isEmpty()) {
            throw faults.unsupported(
                    part,
                    "one program can run after the job's own, and it asks for two",
                    "Put what is to be done after the job into one script.");
        }
        if (code != null) {
            throw faults.unsupported(
                    part,
                    "the exit code of what runs after the job does not fail it",
                    "Leave out FailIfExitCodeNotEqualTo there.");
        }
        postCommand = command;
    }

    /** What runs first, as it is called in the job's directory; empty where nothing does. */
    List<String> first() {
        return here(preCommand);
    }

    /** What runs last, as it is called in the job's directory; empty where nothing does. */
    List<String> last() {
        return here(postCommand);
    }

    /** A program of the session directory is looked for there, and not on the search path. */
    private static List<String> here(List<String> command) {
        int first = Unfailing.isUnfailing(command) ? Unfailing.LENGTH : 0;
        if (command.isEmpty() || command.get(first).startsWith("/")) {
            return command;
        }
        List<String> placed = new ArrayList<>(command);
        placed.set(first, "./" + command.get(first));
        return placed;
    }
}
