// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.ArrayList;
import java.util.List;

/**
 * A command that is run for what it does and whose exit code does not matter. The shell gets the program and its arguments as its own
 * arguments and reads nothing of them as its language.
 */
final class Unfailing {

    private static final List<String> START = List.of("/bin/sh", "-c", "\"$@\"; exit 0", "sh");

    /** How many words stand before the program. */
    static final int LENGTH = START.size();

    private Unfailing() {}

    static List<String> of(List<String> command) {
        List<String> whole = new ArrayList<>(START);
        whole.addAll(command);
        return whole;
    }

    static boolean isUnfailing(List<String> command) {
        return command.size() > LENGTH && command.subList(0, LENGTH).equals(START);
    }

    /** The command itself. */
    static List<String> inner(List<String> command) {
        return isUnfailing(command) ? command.subList(LENGTH, command.size()) : command;
    }
}
