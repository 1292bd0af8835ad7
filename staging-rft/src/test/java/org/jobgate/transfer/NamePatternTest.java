// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wildcards as the shell has them. */
class NamePatternTest {

    @ParameterizedTest
    @CsvSource({
        "*, a.txt, true",
        "*, .hidden, false",
        ".*, .hidden, true",
        "?x, .x, false",
        "*.txt, a.txt, true",
        "*.txt, a.txt.gz, false",
        "a*b*c, aXXbYYc, true",
        "a*b*c, aXXbYY, false",
        "a*bc, abcbc, true",
        "part?, part1, true",
        "part?, part, false",
        "part?, part10, false",
        "[0-9]*, 7up, true",
        "[!0-9]*, 7up, false",
        "[^a]x, bx, true",
        "[]a]x, ]x, true",
        "[a-]x, -x, true",
        "[ab, [ab, true",
        "[ab, a, false",
        "plain, plain, true",
        "plain, plains, false",
    })
    void aNameMatchesOrNot(String pattern, String name, boolean matches) {
        assertThat(NamePattern.parse(pattern).matches(name)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({"''", "a/b", "'../x'"})
    void whatCanBeNoNameIsRefused(String pattern) {
        assertThatThrownBy(() -> NamePattern.parse(pattern)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NamePattern.parse("x".repeat(256))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyStarsTakeNoTime() {
        NamePattern pattern = NamePattern.parse("*a".repeat(120) + "b");
        Assertions.assertTimeout(
                Duration.ofMinutes(1),
                () -> assertThat(pattern.matches("a".repeat(255))).isFalse());
    }
}
