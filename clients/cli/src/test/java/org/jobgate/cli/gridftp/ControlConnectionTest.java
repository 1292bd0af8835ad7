// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.tls.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a GridFTP server says, well and ill. Files are moved with a real one: SrmGridFtpCommandsIT. */
class ControlConnectionTest {
    private static final int PATIENCE_MS = 60_000;

    private interface Conversation {
        void with(ControlConnection connection) throws Exception;
    }

    /** A server that says this to whoever connects, in pieces as TCP may make them, and goes. */
    private static void server(String said, int timeoutMs, boolean closes, Conversation conversation) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ControlConnection connection = ControlConnection.open("127.0.0.1", server.getLocalPort(), timeoutMs);
                Socket there = server.accept()) {
            byte[] bytes = said.getBytes(StandardCharsets.ISO_8859_1);
            Thread speaker = Thread.ofPlatform().start(() -> {
                try {
                    there.getOutputStream().write(bytes, 0, bytes.length / 2);
                    Thread.sleep(300); // longer than one wait for bytes
                    there.getOutputStream().write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
                    if (closes) {
                        there.shutdownOutput();
                    }
                } catch (IOException | InterruptedException e) {
                    // the client has heard enough
                    Thread.currentThread().interrupt();
                }
            });
            conversation.with(connection);
            connection.close();
            speaker.join();
        }
    }

    @Test
    void repliesOfSeveralLinesAndInPiecesAreReadWhole() throws Exception {
        String said =
                "220-Welcome\r\n221 is not the end\r\n220 ready\r\n150 opening\n211-Features:\n PARALLEL\n211 End\r\n";
        server(said, PATIENCE_MS, true, connection -> {
            assertThat(connection.reply()).isEqualTo(new Reply(220, "Welcome\n221 is not the end\nready"));
            assertThat(connection.ask("FEAT")).isEqualTo(new Reply(211, "Features:\n PARALLEL\nEnd"));
            assertThatThrownBy(connection::reply)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closed");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n", "99 x\r\n", "\r\n", "2200 x\r\n", "999 x\r\n"})
    void whatIsNoFtpIsRefused(String said) throws Exception {
        server(
                said,
                PATIENCE_MS,
                true,
                connection -> assertThatThrownBy(connection::reply)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("none of FTP"));
    }

    @Test
    void noServerFillsTheMemory() throws Exception {
        server(
                "220 " + "x".repeat(300_000),
                PATIENCE_MS,
                false,
                connection -> assertThatThrownBy(connection::reply)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("line of more than"));
        server(
                "220-x\r\n" + ("y".repeat(1000) + "\r\n").repeat(1100),
                PATIENCE_MS,
                false,
                connection -> assertThatThrownBy(connection::reply)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("answer is longer than"));
        server(
                "220 " + "\0".repeat(300_000),
                PATIENCE_MS,
                true,
                connection -> assertThatThrownBy(connection::reply)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("line of more than"));
    }

    @Test
    void aServerThatSaysNothingIsNotWaitedForForEver() throws Exception {
        server(
                "220",
                600,
                false,
                connection -> assertThatThrownBy(connection::reply)
                        .isInstanceOf(IOException.class)
                        .hasCauseInstanceOf(SocketTimeoutException.class));
    }

    @Test
    void aCommandIsOneLine() throws Exception {
        server("220 x\r\n", PATIENCE_MS, true, connection -> {
            for (String bad : new String[] {"SIZE a\r\nDELE b", "SIZE a\nDELE b", "SIZE a\0"}) {
                assertThatThrownBy(() -> connection.send(bad)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void aRefusalIsFinalAndTroubleIsNot() {
        assertThatThrownBy(() -> new Reply(550, "No\nsuch \u001b[31mfile").expect("the file", 213))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("550 No such")
                .hasMessageNotContaining("\u001b");
        assertThatThrownBy(() -> new Reply(421, "busy").expect("the file", 213))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> new Reply(213, "-1").number("SIZE")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new Reply(335, "ADAT=?").token()).isInstanceOf(IOException.class);
    }

    @Test
    void aTokenIsFoundBehindLettersThatBecomeTwoInCapitals() throws Exception {
        assertThat(new Reply(335, "\u00df adat=AQID ").token()).containsExactly(1, 2, 3);
        assertThat(new Reply(235, "welcome").token()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gsiftp://h",
                "gsiftp://h/",
                "gsiftp:///a",
                "ftp://h/a",
                "gsiftp://h/a%0d%0aDELE%20b",
                "gsiftp://h/a%00",
                "gsiftp://h/a b",
                "gsiftp://h/%zz",
                "gsiftp://h:0/a",
                "gsiftp://h:99999/a"
            })
    void aUrlThatNamesNoFileIsRefused(String url) {
        assertThatThrownBy(() -> GridFtpUrl.of(url)).isInstanceOf(CommandException.class);
    }

    @Test
    void aUrlNamesAFileByItsBytes() throws Exception {
        assertThat(GridFtpUrl.of("gsiftp://h.org/a%20b%25/%c3%b6\u00f6"))
                .isEqualTo(new GridFtpUrl("h.org", 2811, "/a b%/\u00c3\u00b6\u00c3\u00b6"));
        assertThat(GridFtpUrl.of("gsiftp://[::1]:2812/a")).isEqualTo(new GridFtpUrl("::1", 2812, "/a"));
    }
}
