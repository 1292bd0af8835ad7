// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Described;

/** What a user can say after {@code jobgate}: the source of help, manual page and completion. */
enum Verb {
    SUBMIT(
            "Submit a job, or an array of jobs",
            List.of("[OPTION ...] FILE", "[OPTION ...] -c PROGRAM [ARGUMENT ...]"),
            List.of(
                    VerbOption.COMMAND,
                    VerbOption.LRM,
                    VerbOption.ACCOUNT,
                    VerbOption.QUEUE,
                    VerbOption.DIRECTORY,
                    VerbOption.STDIN,
                    VerbOption.STDOUT,
                    VerbOption.STDERR,
                    VerbOption.ARRAY,
                    VerbOption.MAX_RUNNING,
                    VerbOption.KEY,
                    VerbOption.WAIT)),
    LS(
            "List your jobs, the newest first",
            List.of("[OPTION ...]"),
            List.of(VerbOption.STATE, VerbOption.LIVE, VerbOption.LIMIT)),
    STATUS("Show how jobs stand; without a JOB, how the server does", List.of("[OPTION ...] JOB ..."), List.of()),
    WAIT("Wait until jobs are over", List.of("[OPTION ...] JOB ..."), List.of(VerbOption.LONGEST)),
    LOGS("Show what a job has written", List.of("[OPTION ...] JOB"), List.of(VerbOption.FOLLOW, VerbOption.ERRORS)),
    EXPLAIN("Tell a job's life in sentences: why it waits, why it failed", List.of("[OPTION ...] JOB ..."), List.of()),
    CANCEL("End jobs", List.of("[OPTION ...] JOB ..."), List.of()),
    HOLD("Hold jobs that wait", List.of("[OPTION ...] JOB ..."), List.of(VerbOption.AT)),
    RELEASE("Let held jobs go on", List.of("[OPTION ...] JOB ..."), List.of()),
    RM("End jobs and forget them", List.of("[OPTION ...] JOB ..."), List.of()),
    GET(
            "Fetch a file from a job's directory or a tree of files",
            List.of("[OPTION ...] JOB PATH [LOCAL]", "--tree NAME [OPTION ...] PATH [LOCAL]"),
            List.of(VerbOption.TREE)),
    PUT(
            "Bring a file to a job's directory or a tree of files",
            List.of("[OPTION ...] JOB LOCAL [PATH]", "--tree NAME [OPTION ...] LOCAL PATH"),
            List.of(VerbOption.TREE)),
    ARRAY(
            "Look at arrays of jobs, and give them orders",
            List.of(
                    "[OPTION ...] ls",
                    "[OPTION ...] {show | elements | wait} ARRAY",
                    "[OPTION ...] {cancel | hold | release | suspend | resume | restart} ARRAY",
                    "[OPTION ...] rm ARRAY"),
            List.of(VerbOption.ELEMENTS, VerbOption.STATE, VerbOption.LIMIT)),
    TRACE(
            "Find out which step of a job's way fails, and what to run next",
            List.of("[OPTION ...]"),
            List.of(VerbOption.LRM, VerbOption.LONGEST)),
    JOB_SUSPEND("Suspend jobs in their batch system", List.of("[OPTION ...] JOB ..."), List.of()),
    JOB_RESUME("Let suspended jobs go on", List.of("[OPTION ...] JOB ..."), List.of()),
    JOB_RESTART("Run failed jobs again, each as a new attempt", List.of("[OPTION ...] JOB ..."), List.of());

    private final String summary;

    @SuppressWarnings("ImmutableEnumChecker") // List.copyOf is immutable; its type does not say so
    private final List<String> synopsis;

    @SuppressWarnings("ImmutableEnumChecker") // as above
    private final List<CommandOption> options;

    Verb(String summary, List<String> synopsis, List<CommandOption> options) {
        this.summary = summary;
        this.synopsis = List.copyOf(synopsis);
        List<CommandOption> all = new ArrayList<>(options);
        all.addAll(VerbOption.COMMON);
        this.options = List.copyOf(all);
    }

    /** As it is said: {@code submit}, {@code job resume}. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The verb that the words begin with. */
    static Optional<Verb> of(List<String> words) {
        return Arrays.stream(values())
                .filter(verb -> {
                    List<String> name = List.of(verb.words().split(" "));
                    return words.size() >= name.size()
                            && words.subList(0, name.size()).equals(name);
                })
                .findFirst();
    }

    List<CommandOption> options() {
        return options;
    }

    String summary() {
        return summary;
    }

    CommandPage page() {
        return new CommandPage(
                "jobgate " + words(), summary, synopsis, List.of(), List.<Described>copyOf(options), List.of());
    }
}
