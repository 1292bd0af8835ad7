// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private static Json read(String text) throws IOException {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void valuesAreReadAndWhatIsNotThereIsMissing() throws Exception {
        Json json = read(" {\"a\":[1,-2.5e3,\"x\\n\\u00e9\\\"\"],\"b\":{\"c\":true,\"d\":null},\"e\":{},\"f\":[]} ");

        assertThat(json.get("a").items().stream().map(Json::text)).containsExactly("1", "-2.5e3", "x\né\"");
        assertThat(json.get("a").items().getFirst().number(9)).isEqualTo(1);
        assertThat(json.get("a").items().get(1).number(9)).isEqualTo(9);
        assertThat(json.get("b").get("c").isTrue()).isTrue();
        assertThat(json.get("b").get("d").isMissing()).isTrue();
        assertThat(json.get("x").get("y").get("z").text()).isEmpty();
        assertThat(json.members().keySet()).containsExactly("a", "b", "e", "f");
    }

    @Test
    void whatIsQuotedIsReadAsItWas() throws Exception {
        String text = "a\"\\\b\u0000\u2028 é \uD83D\uDE00 \uD800";
        assertThat(read(Json.quote(text)).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,",
                "[1,]",
                "{\"a\"}",
                "{a:1}",
                "\"x",
                "\"\\q\"",
                "\"\\u12\"",
                "01x",
                "1 2",
                "tru",
                "[1 2]",
                "-",
                "{\"a\":1,}"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class).hasMessageContaining("is not JSON");
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> read("[".repeat(100_000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too deep");
    }
}
