// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.util.List;

/** One option as help, manual page and completion show it. Option tables are enums of this. */
public interface Described {
    /** Every spelling, the usual one first. */
    List<String> names();

    /** What follows it, in capitals, several words for several values; empty for nothing. */
    String argument();

    /** What it does: one or two sentences without the last full stop. */
    String text();

    /** The sentence with which this version refuses it; empty where it works. */
    String refusal();

    /** How many words after it belong to it. */
    default int valueCount() {
        return argument().isEmpty() ? 0 : argument().split(" ").length;
    }
}
