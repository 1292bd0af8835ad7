// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jobgate.cli.text.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * The words of a command line, sorted.
 *
 * @param options each option given, with the values of all its occurrences in order
 * @param operands the words that are no options
 */
public record Words(Map<CommandOption, List<String>> options, List<String> operands) {
    public Words {
        requireNonNull(options, "options is null");
        operands = List.copyOf(operands);
    }

    /**
     * Sorts words by a table of options.
     *
     * @param operandsToRest told the options so far: after so many operands, all words are operands (a program's own arguments)
     * @throws CommandException saying which word is wrong and why
     */
    public static Words sort(
            List<CommandOption> table, ToIntFunction<Map<CommandOption, List<String>>> operandsToRest, String... words)
            throws CommandException {
        Map<CommandOption, List<String>> options = new LinkedHashMap<>();
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < words.length; ) {
            boolean isRest = !operands.isEmpty() && operands.size() >= operandsToRest.applyAsInt(options);
            if (isRest || !words[i].startsWith("-") || words[i].equals("-")) {
                operands.add(words[i++]);
            } else if (words[i].equals("--")) {
                operands.addAll(List.of(words).subList(i + 1, words.length));
                break;
            } else {
                CommandOption option = named(table, words[i]);
                int end = i + 1 + option.valueCount();
                if (end > words.length) {
                    throw usage("Option " + words[i] + " needs " + option.argument() + ".");
                }
                options.computeIfAbsent(option, unused -> new ArrayList<>())
                        .addAll(List.of(words).subList(i + 1, end));
                i = end;
            }
        }
        return new Words(options, operands);
    }

    private static CommandOption named(List<CommandOption> table, String word) throws CommandException {
        for (CommandOption option : table) {
            if (option.names().contains(word)) {
                if (!option.refusal().isEmpty()) {
                    throw usage("Option " + word + ": " + option.refusal() + ".");
                }
                return option;
            }
        }
        throw unknown(word, table);
    }

    public boolean has(CommandOption option) {
        return options.containsKey(option);
    }

    /** The value given last; null where the option was not given. */
    public @Nullable String value(CommandOption option) {
        List<String> given = options.get(option);
        return given == null || given.isEmpty() ? null : given.getLast();
    }

    /** All values given, in order. */
    public List<String> values(CommandOption option) {
        return options.getOrDefault(option, List.of());
    }

    /**
     * A value that is a whole number.
     *
     * @throws CommandException where it is none from {@code least} to {@code most}
     */
    public int number(CommandOption option, int otherwise, int least, int most) throws CommandException {
        String text = value(option);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new CommandException(
                    ExitStatus.USAGE, option.names().getFirst() + " " + text + " is not a number.", e);
        }
        throw usage(option.names().getFirst() + " " + text + " is not in " + least + " to " + most + ".");
    }

    /** What is said of an option that is in no table. */
    public static CommandException unknown(String word, List<? extends Described> table) {
        List<String> names =
                table.stream().flatMap(option -> option.names().stream()).toList();
        return usage(
                "Option " + word + " is not known; -help lists those that are." + NearestName.question(word, names));
    }

    public static CommandException usage(String sentence) {
        return new CommandException(ExitStatus.USAGE, sentence);
    }
}
