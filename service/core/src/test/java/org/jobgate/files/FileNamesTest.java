// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {

    @Test
    void everyNameComesBackByteForByte() {
        Random random = new Random(24);
        for (int i = 0; i < 5_000; i++) {
            byte[] name = new byte[1 + random.nextInt(12)];
            random.nextBytes(name);
            String text = FileNames.text(name);
            assertThat(FileNames.bytes(text)).isEqualTo(name);
            assertThat(FileNames.bytes(FileNames.decoded(FileNames.encoded(text))))
                    .isEqualTo(name);
            assertThat(FileNames.encoded(text)).matches("[A-Za-z0-9%._~/-]+");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "ä €", "\uFFFD", "😀", "a\tb\n", "%41"})
    void whatIsUtf8StaysAsItIs(String name) {
        assertThat(FileNames.text(name.getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
        assertThat(FileNames.isText(name)).isTrue();
        assertThat(FileNames.decoded(FileNames.encoded(name))).isEqualTo(name);
    }

    @Test
    void whatIsNotIsShownAsItIsWritten() {
        String name = FileNames.decoded("caf%e9/%ED%B2%80/a%0Ab%c3%a4");
        assertThat(FileNames.isText(name)).isFalse();
        assertThat(FileNames.encoded(name)).isEqualTo("caf%E9/%ED%B2%80/a%0Ab%C3%A4");
        assertThat(FileNames.shown(name)).isEqualTo("caf%E9/%ED%B2%80/a?bä");
    }

    @ParameterizedTest
    @CsvSource({"%", "%4", "a%zz", "%-1"})
    void aPercentSignAloneIsNoName(String text) {
        assertThatThrownBy(() -> FileNames.decoded(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hexadecimal");
    }
}
