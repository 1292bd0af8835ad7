// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QuickReplyTest {

    private static final String REPLY =
            "HTTP/1.1 404 Not Found\r\nDate: today\r\nCONTENT-length: 5\r\nX: " + "y".repeat(2_000) + "\r\n\r\nhello";

    private final QuickReply reply = new QuickReply();

    @Test
    void statusAndEndAreFoundHoweverTheReplyComes() throws IOException {
        byte[] all = REPLY.getBytes(StandardCharsets.US_ASCII);
        for (int piece : new int[] {1, 2, 7, 1_000, all.length}) {
            reply.begin();
            for (int at = 0; at < all.length; at += piece) {
                assertThat(reply.isWhole()).isFalse();
                byte[] next = new byte[Math.min(piece, all.length - at)];
                System.arraycopy(all, at, next, 0, next.length);
                reply.take(next, next.length);
            }
            assertThat(reply.isWhole()).isTrue();
            assertThat(reply.status()).isEqualTo(404);
        }
    }

    @Test
    void aReplyWithoutContentIsWholeAtTheEndOfItsHead() throws IOException {
        reply.begin();
        take("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n");
        assertThat(reply.isWhole()).isFalse();

        take("\r\n");

        assertThat(reply.isWhole()).isTrue();
    }

    @Test
    void whatCannotBeReadIsAnError() {
        assertThatIOException()
                .isThrownBy(() -> taken("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .withMessageContaining("length");
        assertThatIOException().isThrownBy(() -> taken("SSH-2.0-OpenSSH\r\n"));
        assertThatIOException()
                .isThrownBy(() -> taken("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nthree"))
                .withMessageContaining("more has come");
        assertThatIOException().isThrownBy(() -> taken("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n"));
        assertThatIOException().isThrownBy(() -> taken("HTTP/1.1 200 OK\r\nA: " + "x".repeat(20_000)));
    }

    private void taken(String text) throws IOException {
        reply.begin();
        take(text);
    }

    private void take(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        reply.take(bytes, bytes.length);
    }
}
