// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTokensTest {

    @Test
    void whatIsWrittenIsReadAgain() {
        FileTokens tokens = FileTokens.of(Map.of("a=b&c", "100% + \n\u00e4", "@X@", "", "%41", "A"));

        assertThat(FileTokens.in(Map.of(FileTokens.OPTION, tokens.text()))).contains(tokens);
        assertThat(FileTokens.in(Map.of("checksum", "md5"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "=x", "a=1&", "a=1&a=2", "%4=1", "a=%zz"})
    void whatHasAnotherFormIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> FileTokens.in(Map.of(FileTokens.OPTION, text)));
    }

    @Test
    void everythingIsBounded() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i <= FileTokens.MAX; i++) {
            many.put("t" + i, "");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileTokens.of(many))
                .withMessageContaining("33");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileTokens.of(Map.of("t".repeat(FileTokens.MAX_TOKEN + 1), "")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileTokens.of(Map.of("t", "x".repeat(FileTokens.MAX_VALUE + 1))));
    }
}
