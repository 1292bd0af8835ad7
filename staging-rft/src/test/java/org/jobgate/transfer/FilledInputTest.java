// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.jobgate.job.FileTokens;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilledInputTest {

    private static final Map<String, String> TOKENS =
            Map.of("@A@", "1", "@AB@", "@A@", "xx", "", "\u00e4", "ae", "@A@@A@@A@", "three");

    /** Gives at most so many bytes at a time. */
    private static InputStream slow(byte[] bytes, int atOnce) {
        ByteArrayInputStream all = new ByteArrayInputStream(bytes);
        return new BlockInputStream() {
            @Override
            public int read(byte[] into, int from, int length) {
                return all.read(into, from, Math.min(length, atOnce));
            }
        };
    }

    private static byte[] filled(byte[] bytes, Map<String, String> tokens, int atOnce, int asked) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] into = new byte[asked];
        try (InputStream in = new FilledInput(slow(bytes, atOnce), FileTokens.of(tokens))) {
            for (int count = in.read(into, 0, asked); count >= 0; count = in.read(into, 0, asked)) {
                assertThat(count).as("a read gives something").isPositive();
                out.write(into, 0, count);
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            nothing,          nothing
            '',               ''
            @A@,              1
            a@A@b@A@c,        a1b1c
            @AB@,             @A@
            xx,               ''
            xxx,              x
            x@A,              x@A
            @A@@A@@A@@A@,     three1
            \u00e4\u00e4,       aeae
            @@A@@,            @1@
            """)
    void tokensAreReplaced(String text, String expected) throws IOException {
        for (int size : new int[] {1, 2, 3, 100_000}) {
            assertThat(filled(text.getBytes(StandardCharsets.UTF_8), TOKENS, size, size))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(expected);
            assertThat(filled(text.getBytes(StandardCharsets.UTF_8), TOKENS, size, 7))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(expected);
        }
    }

    /** Larger than any buffer, of bytes that are no text, with tokens across the ends of blocks. */
    @Test
    void aLargeFileOfAnyBytesKeepsTheRest() throws IOException {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = noise[i] == '@' ? 0 : noise[i];
        }
        ByteArrayOutputStream before = new ByteArrayOutputStream();
        ByteArrayOutputStream after = new ByteArrayOutputStream();
        Random lengths = new Random(2);
        for (int at = 0; at < noise.length; ) {
            int length = Math.min(noise.length - at, lengths.nextInt(1, 3_000));
            before.write(noise, at, length);
            after.write(noise, at, length);
            before.writeBytes("@N@".getBytes(StandardCharsets.UTF_8));
            after.writeBytes("value".getBytes(StandardCharsets.UTF_8));
            at += length;
        }

        assertThat(filled(before.toByteArray(), Map.of("@N@", "value"), 8_191, 8_192))
                .isEqualTo(after.toByteArray());
    }
}
