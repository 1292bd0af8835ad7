// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @Test
    void takesEverythingAfterTheCommandOptionAsTheProgram() throws CommandException {
        CommandLine line = CommandLine.parse("-submit", "-F", "host", "-b", "-c", "/bin/echo", "-submit", "--", "-c");
        assertThat(line.command()).isEqualTo(Option.SUBMIT);
        assertThat(line.program()).containsExactly("/bin/echo", "-submit", "--", "-c");
        assertThat(line.value(Option.FACTORY)).isEqualTo("host");
        assertThat(CommandLine.parse("-submit", "-c", "--", "-odd").program()).containsExactly("-odd");
    }

    @ParameterizedTest
    @CsvSource({
        "-submit, needs one of -f FILE",
        "-submit -c, Option -c needs a program",
        "-submit -f a -c b, -f and -c cannot go together",
        "-submit -F, Option -F needs a value",
        "-submit -kill, cannot go together",
        "-status, -status needs -j",
        "-frobnicate, -frobnicate is not known",
        "-submti, 'last, after -c. Did you mean -submit?'",
        "--submit, Did you mean -submit?",
        "-job-descripton-file, Did you mean -job-description-file?",
        "stray, stray is not known",
        "-q, Say what to do",
        "-submit -protocol, Option -protocol needs a value",
        "-submit -I x -If y -c a, Options -I and -If",
    })
    void refusesWithASentence(String words, String sentence) {
        assertThatThrownBy(() -> CommandLine.parse(words.split(" ")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(sentence)
                .extracting(e -> ((CommandException) e).status())
                .isEqualTo(ExitStatus.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0001", "\uFFFD"})
    void refusesArgumentsThatXmlCannotHold(String argument) {
        assertThatThrownBy(() -> CommandLine.parse("-submit", "-c", "/bin/echo", "ok", argument))
                .hasMessageContaining("Argument 2");
    }

    @Test
    void everyNameBelongsToOneOption() {
        for (Option option : Option.values()) {
            assertThat(Option.named(option.shortName())).isEqualTo(option);
        }
    }

    @Test
    void helpNamesEveryOptionThatWorks() {
        assertThat(Arrays.stream(Option.values())
                        .filter(option -> option.refusal().isEmpty())
                        .filter(option -> option != Option.PRIVATE && option != Option.USAGE)
                        .map(Option::shortName))
                .allSatisfy(name -> assertThat(Usage.page().help()).contains(name));
    }
}
