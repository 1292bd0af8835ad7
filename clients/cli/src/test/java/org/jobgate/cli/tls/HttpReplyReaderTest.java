// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpReplyReaderTest {
    private static HttpReplyReader.Result read(String text) throws IOException {
        return new HttpReplyReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1))).read();
    }

    private static String body(HttpReplyReader.Result result) {
        return new String(result.reply().body(), StandardCharsets.UTF_8);
    }

    @Test
    void readsByLengthAndKeepsTheConnection() throws IOException {
        HttpReplyReader.Result result = read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcREST");
        assertThat(body(result)).isEqualTo("abc");
        assertThat(result.keepsConnection()).isTrue();
    }

    @Test
    void readsChunksWithExtensionsAndTrailers() throws IOException {
        HttpReplyReader.Result result = read(
                "HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nX: y\r\n\r\n");
        assertThat(body(result)).isEqualTo("abcd");
        assertThat(result.reply().status()).isEqualTo(500);
        assertThat(result.keepsConnection()).isTrue();
    }

    @Test
    void readsToTheEndAndSkipsContinue() throws IOException {
        HttpReplyReader.Result result = read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nabc");
        assertThat(body(result)).isEqualTo("abc");
        assertThat(result.keepsConnection()).isFalse();
    }

    @Test
    void obeysConnectionClose() throws IOException {
        assertThat(read("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 0\n\n")
                        .keepsConnection())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
            })
    void refusesWhatIsCutShortTooLargeOrNotHttp(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
    }

    @Test
    void boundsHeaders() {
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(1000)))
                .hasMessageContaining("200 header lines");
        assertThatThrownBy(() -> read("HTTP/1.1 200 " + "x".repeat(100_000))).hasMessageContaining("16384 bytes");
    }
}
