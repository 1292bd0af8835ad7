// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpReplyTest {

    @Test
    void bodyOfTheSaidLengthLeavesTheNextReplyAlone() throws IOException {
        InputStream in = bytes(
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");

        HttpReply first = HttpReply.read(in);
        HttpReply second = HttpReply.read(in);

        assertThat(first.body()).isEqualTo("one");
        assertThat(first.closes()).isFalse();
        assertThat(second.status()).isEqualTo(404);
    }

    @Test
    void chunksAreJoinedAndTrailersRead() throws IOException {
        InputStream in = bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n4;ext=1\r\n two\r\n0\r\nX: y\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");

        assertThat(HttpReply.read(in).body()).isEqualTo("one two");
        assertThat(HttpReply.read(in).closes()).isFalse();
    }

    @Test
    void aReplyWithoutLengthEndsWithTheConnection() throws IOException {
        HttpReply reply = HttpReply.read(bytes("HTTP/1.1 200 OK\r\n\r\nall of it"));

        assertThat(reply.body()).isEqualTo("all of it");
        assertThat(reply.closes()).isTrue();
    }

    @Test
    void continueBeforeTheReplyIsSkipped() throws IOException {
        assertThat(HttpReply.read(bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
                        .body())
                .isEqualTo("ok");
    }

    @Test
    void aServerThatDiesWithinItsReplyIsAnError() {
        assertThatIOException()
                .isThrownBy(() -> HttpReply.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")))
                .withMessageContaining("4 of 10");
        assertThatIOException().isThrownBy(() -> HttpReply.read(bytes("HTTP/1.1 200")));
        assertThatIOException().isThrownBy(() -> HttpReply.read(bytes("")));
    }

    @Test
    void absurdLengthsAreRefusedBeforeTheyAreAllocated() {
        assertThatIOException()
                .isThrownBy(() -> HttpReply.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")));
        assertThatIOException()
                .isThrownBy(() -> HttpReply.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n")));
        assertThatIOException().isThrownBy(() -> HttpReply.read(bytes("HTTP/1.1 200 OK\r\nA: " + "x".repeat(20_000))));
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
