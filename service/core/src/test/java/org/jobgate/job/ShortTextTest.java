// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortTextTest {

    @Test
    void aTextThatFitsStaysAndALongerOneIsCut() {
        assertThat(ShortText.of("12345", 5)).isEqualTo("12345");
        assertThat(ShortText.of("123456", 5)).isEqualTo("12345...");
        assertThat(ShortText.of("", 0)).isEmpty();
        assertThat(ShortText.of("1", 0)).isEqualTo("...");
    }

    @Test
    void noCharacterIsCutInTwo() {
        assertThat(ShortText.of("ab\uD83D\uDE00c", 3)).isEqualTo("ab...");
        assertThat(ShortText.of("ab\uD83D\uDE00c", 4)).isEqualTo("ab\uD83D\uDE00...");
    }
}
