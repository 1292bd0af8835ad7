// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {

    private static final String NONCE = "00ff";
    private final List<String> noise = new ArrayList<>();

    private FrameReader reader(byte[] bytes) {
        return new FrameReader(new ByteArrayInputStream(bytes), NONCE, noise::add);
    }

    private static byte[] frame(String payload) {
        return FrameReader.frame(NONCE, payload.getBytes(UTF_8));
    }

    @Test
    void findsFramesAmongNoise() throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes("Welcome!\nJG1 other 3\nabc\n".getBytes(UTF_8));
        stream.writeBytes(frame("one\nJG1 00ff 3\n"));
        stream.writeBytes("no newline before: ".getBytes(UTF_8));
        stream.writeBytes(frame(""));
        stream.writeBytes("x".repeat(100_000).getBytes(UTF_8));
        stream.writeBytes(frame("three"));

        FrameReader reader = reader(stream.toByteArray());

        assertThat(reader.next()).asString().isEqualTo("one\nJG1 00ff 3\n");
        assertThat(reader.next()).isEmpty();
        assertThat(reader.next()).asString().isEqualTo("three");
        assertThat(reader.next()).isNull();
        assertThat(String.join("", noise))
                .contains("Welcome!")
                .contains("JG1 other 3")
                .contains("no newline before: ");
        assertThat(noise).allMatch(line -> line.length() <= FrameReader.MAX_LINE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JG1 00ff x\n",
                "JG1 00ff \n",
                "JG1 00ff 9999999999\n",
                "JG1 00ff 999999999\n",
                "JG1 00ff 1\nab\n",
                "JG1 00ff -1\n"
            })
    void aBrokenFrameIsAnError(String stream) {
        assertThatThrownBy(() -> reader(stream.getBytes(UTF_8)).next()).isInstanceOf(WireException.class);
    }

    @Test
    void aStreamThatEndsInAFrameIsAnError() {
        assertThatThrownBy(() -> reader("JG1 00ff 5\nabc".getBytes(UTF_8)).next())
                .isInstanceOf(EOFException.class);
    }
}
