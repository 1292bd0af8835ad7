// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jobgate.gridftp.OwnDataConnection.Direction;
import org.junit.jupiter.api.Test;

/** Data connections to a stock GridFTP server are used again, by nobody but who opened them. */
class GridFtpDataConnectionsIT extends GridFtpServers {

    @Test
    void manySmallFilesUseTheSameDataConnection() throws Exception {
        try (GridFtpSession from = open(GridFtpLab.A);
                GridFtpSession to = open(GridFtpLab.B)) {
            ThirdParty pair = new ThirdParty(from, to, TransferOptions.EXTENDED);
            for (int i = 0; i < 5; i++) {
                assertThat(pair.copy(at("small"), at("small-" + i), TransferListener.NONE)
                                .bytes())
                        .isEqualTo(10);
                assertThat(remote.resolve("small-" + i)).hasContent("ten bytes\n");
            }
            // a failure in between gives no file the bytes of another
            assertThatThrownBy(() -> pair.copy(at("none"), at("small-x"), TransferListener.NONE))
                    .isInstanceOf(PermanentGridFtpException.class);
            assertThat(pair.copy(at("file"), at("big"), TransferListener.NONE).bytes())
                    .isEqualTo(SIZE);
            assertSame(remote.resolve("big"));
        }
    }

    private static DataSocket left(GridFtpSession session, TransferOptions options, Direction way) {
        DataSocket data = requireNonNull(session.ownData().take(options, way), "no data connection was left open");
        session.ownData().leave(data, options, way);
        return data;
    }

    @Test
    void filesSentOneAfterAnotherGoOverTheSameDataConnection() throws Exception {
        for (TransferOptions options : KEEPING) {
            try (GridFtpSession session = open(GridFtpLab.A)) {
                put(session, "first", options);
                assertSame(remote.resolve("first"));
                DataSocket data = left(session, options, Direction.SEND);
                for (String name : List.of("second", "third")) {
                    assertThat(put(session, name, options).bytes()).isEqualTo(SIZE);
                    assertSame(remote.resolve(name));
                    assertThat(left(session, options, Direction.SEND)).isSameAs(data);
                }
            }
        }
    }

    @Test
    void filesFetchedOneAfterAnotherComeOverTheSameDataConnection() throws Exception {
        for (TransferOptions options : KEEPING) {
            try (GridFtpSession session = open(GridFtpLab.A)) {
                Path first = Files.createTempFile(local, "first", "");
                assertThat(get(session, "file", first, options).bytes()).isEqualTo(SIZE);
                assertSame(first);
                DataSocket data = left(session, options, Direction.FETCH);
                for (int i = 0; i < 3; i++) {
                    Path small = Files.createTempFile(local, "small", "");
                    assertThat(get(session, "small", small, options).bytes()).isEqualTo(10);
                    assertThat(small).hasContent("ten bytes\n");
                    assertThat(left(session, options, Direction.FETCH)).isSameAs(data);
                }
            }
        }
    }

    /** One peer speaks no TLS, another sends nothing: neither ends the transfer, nor keeps the server out. */
    @Test
    void strangersAtTheDataPortAreNotListenedTo() throws Exception {
        int port;
        // none that the system gives to who connects: one that tries long enough would be connected to itself
        try (ServerSocket free = new PortRange(21_000, 21_999).listen(InetAddress.getLoopbackAddress(), 1, 0)) {
            port = free.getLocalPort();
        }
        GridFtpSettings settings = GridFtpLab.SETTINGS.withDataPorts(new PortRange(port, port));
        try (GridFtpSession session = GridFtpSession.open(GridFtpLab.A, user, settings, Clock.systemUTC())) {
            FutureTask<Socket> silent = new FutureTask<>(() -> stranger(port));
            FutureTask<Socket> loud = new FutureTask<>(() -> {
                Socket socket = stranger(port);
                socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return socket;
            });
            Thread.ofVirtual().start(silent);
            Thread.ofVirtual().start(loud);
            Path file = Files.createTempFile(local, "beside", "");
            try (FileChannel to = FileChannel.open(file, StandardOpenOption.WRITE)) {
                // nothing is taken before both are there, who may come after the server: the port stays open as long as
                // the transfer
                DataSink sink = (position, bytes) -> {
                    await().until(() -> silent.isDone() && loud.isDone());
                    DataSink.of(to).write(position, bytes);
                };
                session.get(at("file"), sink, TransferOptions.EXTENDED, TransferListener.NONE);
            }
            assertSame(file);
            silent.get().close();
            loud.get().close();
        }
    }

    @Test
    void whatComesBetweenTwoFetchesGivesNoFileTheBytesOfAnother() throws Exception {
        TransferOptions options = TransferOptions.EXTENDED;
        try (GridFtpSession session = open(GridFtpLab.A)) {
            Path file = Files.createTempFile(local, "fetched", "");
            get(session, "small", file, options);
            assertFault(
                    Fault.NOT_FOUND,
                    () -> session.get(at("none"), (position, bytes) -> {}, options, TransferListener.NONE));
            assertThat(session.ownData().isLeft()).isFalse();
            get(session, "file", file, options);
            assertSame(file);
            put(session, "sent", options);
            assertSame(remote.resolve("sent"));
            assertThat(session.ownData().isLeft(Direction.FETCH)).isFalse();
            get(session, "file", file, options);
            assertSame(file);
            left(session, options, Direction.FETCH).close();
            get(session, "file", file, options);
            assertSame(file);
            get(session, "file", file, options.withStreams(4));
            assertSame(file);
            assertThat(session.ownData().isLeft()).isFalse();
        }
    }

    @Test
    void aDataConnectionThatWasLeftIsNotUsedWhereItWouldNotServe() throws Exception {
        TransferOptions options = TransferOptions.EXTENDED;
        try (GridFtpSession session = open(GridFtpLab.A)) {
            put(session, "first", options);
            assertFault(
                    Fault.DENIED,
                    () -> session.put((position, buffer) -> -1, "/root/not-for-us", options, TransferListener.NONE));
            assertThat(session.ownData().isLeft()).isFalse();
            put(session, "second", options);
            assertSame(remote.resolve("second"));

            get(session, "second", local.resolve("second"), TransferOptions.STREAM);
            assertSame(local.resolve("second"));
            assertThat(session.ownData().isLeft()).isFalse();
            put(session, "third", options);
            assertSame(remote.resolve("third"));

            left(session, options, Direction.SEND).close();
            put(session, "fourth", options);
            assertSame(remote.resolve("fourth"));
            put(session, "fifth", options.withBuffers(1 << 20, 1 << 18));
            assertSame(remote.resolve("fifth"));
        }
    }
}
