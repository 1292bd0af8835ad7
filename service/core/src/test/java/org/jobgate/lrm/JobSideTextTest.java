// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobSideTextTest {

    @Test
    void aSentenceSaysWhoToldIt() {
        assertThat(JobSideText.sentence("alice", "It \u001b[31mfailed.\r\n"))
                .isEqualTo("It [31mfailed (told by the account alice).");
        assertThat(JobSideText.sentence("alice", "x".repeat(1_000_000)))
                .hasSizeLessThan(600)
                .endsWith("alice)");
    }

    @Test
    void linesKeepTheirEnds() {
        assertThat(JobSideText.lines("a\tb\nc\u0000\u202e\r", 100)).isEqualTo("a\tb\nc");
        assertThat(JobSideText.lines("\uD83D\uDE00\uD83D\uDE00", 3)).isEqualTo("\uD83D\uDE00");
    }
}
