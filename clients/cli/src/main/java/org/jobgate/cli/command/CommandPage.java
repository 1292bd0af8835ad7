// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What there is to say of a command: the source of its help, its manual page and its completion.
 *
 * @param summary one line without the last full stop
 * @param synopsis the words after the command's name, one line for each way to call it
 * @param description paragraphs
 * @param examples command lines to copy
 * @param hasOwnStatus whether it ends with 0 or 1 only, as the command that it stands for
 */
public record CommandPage(
        String name,
        String summary,
        List<String> synopsis,
        List<String> description,
        List<Described> options,
        List<String> examples,
        boolean hasOwnStatus) {
    private static final int COLUMN = 38;

    /** The page of a command with Jobgate's usual exit statuses. */
    public CommandPage(
            String name,
            String summary,
            List<String> synopsis,
            List<String> description,
            List<Described> options,
            List<String> examples) {
        this(name, summary, synopsis, description, options, examples, false);
    }

    public CommandPage {
        requireNonNull(name, "name is null");
        requireNonNull(summary, "summary is null");
        synopsis = List.copyOf(synopsis);
        description = List.copyOf(description);
        options = List.copyOf(options);
        examples = List.copyOf(examples);
    }

    /** The text of {@code -help}. */
    public String help() {
        StringBuilder out = new StringBuilder(4000);
        synopsis.forEach(line -> out.append(name).append(' ').append(line).append('\n'));
        out.append(summary).append(".\n\n");
        for (Described option : options) {
            if (option.refusal().isEmpty()) {
                appendOption(out, option);
            }
        }
        if (hasOwnStatus) {
            return out.append("\nExit status: 0 done, 1 for everything else.").toString();
        }
        out.append("\nExit status, beside a job's own:");
        for (ExitStatus status : ExitStatus.values()) {
            if (status != ExitStatus.OK) {
                out.append("\n  ").append(status.code()).append(' ').append(status.meaning());
            }
        }
        return out.toString();
    }

    /** The line that {@code -version} shows. */
    public static String version(String name) {
        String version = CommandPage.class.getPackage().getImplementationVersion();
        return name + ": Jobgate " + (version == null ? "(not packaged)" : version) + ", GRAM4 4.0 and 4.2 protocols";
    }

    private static void appendOption(StringBuilder out, Described option) {
        String head =
                "  " + String.join(", ", option.names()) + (option.argument().isEmpty() ? "" : " " + option.argument());
        out.append(head);
        out.append(head.length() < COLUMN ? " ".repeat(COLUMN - head.length()) : "\n" + " ".repeat(COLUMN));
        out.append(option.text()).append('\n');
    }
}
