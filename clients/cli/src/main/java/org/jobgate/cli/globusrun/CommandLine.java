// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.NearestName;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/**
 * The command line, read.
 *
 * @param command what to do
 * @param options every option given, with its value or an empty text
 * @param program the program and its arguments after {@code -c}; empty without
 */
record CommandLine(Option command, Map<Option, String> options, List<String> program) {
    private static final Set<Option> DESCRIBING = EnumSet.of(Option.DESCRIPTION_FILE, Option.COMMAND);
    private static final char UNDECODABLE = '\uFFFD';

    CommandLine {
        requireNonNull(command, "command is null");
        options = Map.copyOf(options);
        program = List.copyOf(program);
    }

    /** @throws CommandException saying which word is wrong and why */
    static CommandLine parse(String... words) throws CommandException {
        Option command = null;
        Map<Option, String> options = new EnumMap<>(Option.class);
        List<String> program = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            Option option = option(words[i], command);
            if (option.isCommand()) {
                command = only(command, option);
            } else if (option == Option.COMMAND) {
                options.put(option, "");
                int first = i + 1 < words.length && words[i + 1].equals("--") ? i + 2 : i + 1;
                program.addAll(List.of(words).subList(Math.min(first, words.length), words.length));
                break;
            } else {
                options.put(option, option.takesValue() ? value(words, ++i) : "");
            }
        }
        CommandLine line = new CommandLine(command == null ? Option.HELP : command, options, program);
        line.check(command == null && words.length > 0);
        return line;
    }

    private static Option option(String word, @Nullable Option command) throws CommandException {
        Option option = Option.named(word);
        if (command == Option.USAGE && option != null && option.isCommand()) {
            return Option.USAGE; // -usage -submit: the usage of one command is within the usage of all
        }
        if (option == null) {
            throw usage((word.startsWith("-") ? "Option " : "Word ") + word
                    + " is not known. The program to run goes last, after -c."
                    + NearestName.question(word, Option.allNames()));
        }
        if (!option.refusal().isEmpty()) {
            throw usage("Option " + word + ": " + option.refusal() + ".");
        }
        return option;
    }

    private static Option only(@Nullable Option before, Option option) throws CommandException {
        if (before != null && before != option) {
            throw usage("Options " + before.shortName() + " and " + option.shortName() + " cannot go together.");
        }
        return option;
    }

    private static String value(String[] words, int index) throws CommandException {
        if (index >= words.length) {
            throw usage("Option " + words[index - 1] + " needs a value.");
        }
        return words[index];
    }

    private void check(boolean isCommandMissing) throws CommandException {
        if (isCommandMissing) {
            throw usage("Say what to do: -submit, -status, -monitor, -kill, -release or -validate.");
        }
        switch (command) {
            case SUBMIT -> checkSubmit();
            case VALIDATE -> need(Option.DESCRIPTION_FILE);
            case STATUS, MONITOR, KILL, RELEASE -> need(Option.EPR_FILE);
            default -> {
                // help and version need nothing
            }
        }
    }

    private void checkSubmit() throws CommandException {
        if (has(Option.DESCRIPTION_FILE) && has(Option.COMMAND)) {
            throw usage("Options -f and -c cannot go together: the file names the program.");
        }
        if (options.keySet().stream().filter(DESCRIBING::contains).count() != 1) {
            throw usage("-submit needs one of -f FILE (a job description) or -c PROGRAM [ARGUMENT ...].");
        }
        if (has(Option.COMMAND) && program.isEmpty()) {
            throw usage("Option -c needs a program.");
        }
        if (has(Option.SUBMISSION_ID) && has(Option.SUBMISSION_ID_FILE)) {
            throw usage("Options -I and -If cannot go together.");
        }
        refuseUnsendable(program);
    }

    /** @throws CommandException where a word cannot be sent in XML */
    static void refuseUnsendable(List<String> program) throws CommandException {
        for (int i = 0; i < program.size(); i++) {
            refuseUnsendable(i, program.get(i));
        }
    }

    private static void refuseUnsendable(int index, String word) throws CommandException {
        String what = index == 0 ? "The program's name" : "Argument " + index;
        if (word.indexOf(UNDECODABLE) >= 0) {
            throw usage(what + " is not text in the locale's encoding (for UTF-8, set LC_ALL=C.UTF-8): it cannot be"
                    + " sent in XML. Put such bytes into a file.");
        }
        int forbidden = XmlText.firstForbidden(word);
        if (forbidden >= 0) {
            throw usage(what + " has the character U+"
                    + Integer.toHexString(word.codePointAt(forbidden) | 0x10000).substring(1)
                    + " at place " + forbidden + ", which no XML can hold. Put such bytes into a file.");
        }
    }

    private void need(Option option) throws CommandException {
        if (!has(option)) {
            throw usage(command.shortName() + " needs " + option.shortName() + " FILE.");
        }
    }

    boolean has(Option option) {
        return options.containsKey(option);
    }

    @Nullable
    String value(Option option) {
        return options.get(option);
    }

    /** The value of an option that {@link #check} made sure of. */
    String required(Option option) {
        return requireNonNull(options.get(option), () -> option + " was not given");
    }

    private static CommandException usage(String sentence) {
        return new CommandException(ExitStatus.USAGE, sentence);
    }
}
