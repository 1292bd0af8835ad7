// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** One option of a command. A command's table is a list of these; {@link ServiceOptions} has those that several share. */
public record CommandOption(String argument, String text, String refusal, List<String> names) implements Described {
    public CommandOption {
        requireNonNull(argument, "argument is null");
        requireNonNull(text, "text is null");
        requireNonNull(refusal, "refusal is null");
        names = List.copyOf(names);
    }

    /** One that works. */
    public static CommandOption of(String argument, String text, String... names) {
        return new CommandOption(argument, text, "", List.of(names));
    }

    /** One that is known, and refused with this sentence. */
    public static CommandOption refused(String refusal, String argument, String text, String... names) {
        return new CommandOption(argument, text, refusal, List.of(names));
    }
}
