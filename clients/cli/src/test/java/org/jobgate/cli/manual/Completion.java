// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.manual;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Described;

/** Writes the completion for bash: tables of words, and one function that reads them. */
final class Completion {
    private static final String HEAD = """
            # SPDX-FileCopyrightText: 2026 The Jobgate authors
            # SPDX-License-Identifier: Apache-2.0
            #
            # Completion for bash: . docs/completion/jobgate.bash
            # Made from the option tables by ManualTest; changes here are lost.

            # sets words (to complete), files (options before a file) and values (options before something else)
            _jobgate_tables() {
                words= files= values=
                case $1 in
            """;
    private static final String TAIL = """
                esac
            }

            _jobgate_complete() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words files values table i
                table=${COMP_WORDS[0]##*/}
                if [[ $table == jobgate ]]; then
                    for ((i = 1; i < COMP_CWORD; i++)); do
                        if [[ ${COMP_WORDS[i]} == [a-z]* ]]; then
                            words=
                            _jobgate_tables "$table ${COMP_WORDS[i]}"
                            if [[ -n $words ]]; then table="$table ${COMP_WORDS[i]}"; fi
                        fi
                    done
                fi
                _jobgate_tables "$table"
                if [[ " $values " == *" $before "* ]]; then
                    COMPREPLY=()
                elif [[ " $files " != *" $before "* && ( $current == -* || $words == [a-z]* ) ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
                else
                    mapfile -t COMPREPLY < <(compgen -f -- "$current")
                fi
            }

            """;

    private final StringBuilder out = new StringBuilder(HEAD);

    private Completion() {}

    /** @param pages by the words that lead to them; the words to complete are options and, for a command of commands, its parts */
    static String of(List<CommandPage> pages) {
        Completion completion = new Completion();
        pages.forEach(completion::table);
        List<String> commands = pages.stream()
                .map(CommandPage::name)
                .filter(name -> !name.contains(" "))
                .toList();
        return completion.out.append(TAIL)
                + "complete -o filenames -F _jobgate_complete \\\n    "
                + String.join(" \\\n    ", commands) + "\n";
    }

    private void table(CommandPage page) {
        List<String> words = new ArrayList<>(page.name().startsWith("jobgate") ? page.synopsis() : List.of());
        List<String> files = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (Described option : page.options()) {
            if (option.refusal().isEmpty()) {
                words.addAll(option.names());
                List<String> before = option.argument().equals("FILE") ? files : values;
                if (!option.argument().isEmpty() && !option.argument().startsWith("PROGRAM")) {
                    before.addAll(option.names());
                }
            }
        }
        out.append("        '").append(page.name()).append("')\n");
        line("words", words);
        line("files", files);
        line("values", values);
        out.append("            ;;\n");
    }

    private void line(String variable, List<String> words) {
        out.append("            ")
                .append(variable)
                .append("='")
                .append(String.join(" ", words))
                .append("'\n");
    }
}
