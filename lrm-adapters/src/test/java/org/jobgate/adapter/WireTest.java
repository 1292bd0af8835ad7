// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.adapter.WireValue.Bytes;
import org.jobgate.adapter.WireValue.Fields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {

    @Test
    void valuesComeBackAsTheyWere() throws WireException {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < 256; i++) {
            everyByte[i] = (byte) i;
        }
        byte[] encoded = Wire.encode(
                Map.of("list", Arrays.asList("a\n", null, List.of(), 12, true), "bytes", everyByte, "text", "ä€"));

        Fields fields = (Fields) Wire.decode(encoded);

        assertThat(fields.values().get("bytes"))
                .isInstanceOfSatisfying(
                        Bytes.class, bytes -> assertThat(bytes.bytes()).isEqualTo(everyByte));
        assertThat(fields.text("text")).isEqualTo("ä€");
        assertThat(fields.texts("list")).containsExactly("a\n", "12", "1");
        assertThat(fields.items("list")).hasSize(5);
        assertThat(fields.text("absent")).isNull();
        assertThat(fields.number("text", 3)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s5:abc",
                "l999999999:",
                "l1111111111:",
                "s:abc",
                "s-1:",
                "x1:a",
                "~~",
                "d1:l0:~",
                "d2:s1:a~",
                "s1",
                "s",
                "l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:~"
            })
    void whatIsNotExactlyOneValueIsRefused(String encoded) {
        assertThatThrownBy(() -> Wire.decode(encoded.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(WireException.class);
    }
}
