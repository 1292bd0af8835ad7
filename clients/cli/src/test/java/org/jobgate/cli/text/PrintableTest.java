// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void nothingIsLeftThatOrdersATerminal() {
        assertThat(Printable.of("a\u001b[2Jb\u009b31mc\r\n\u007f\u0000d\u202ee\u2066"))
                .isEqualTo("a [2Jb 31mc    d e ");
        assertThat(Printable.lines("a\tb\nc\r\u009bd")).isEqualTo("a\tb\nc  d");
        assertThat(Printable.of("Müller, 東京 \uD83D\uDE00")).isEqualTo("Müller, 東京 \uD83D\uDE00");
    }
}
