// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Sockets that can be asked without waiting whether they still stand. */
final class Sockets {

    private Sockets() {}

    /** One that is not connected. */
    static Socket unconnected() throws IOException {
        return SocketChannel.open().socket();
    }

    /** One that is not bound; what it accepts is of the same kind. */
    static ServerSocket unbound() throws IOException {
        return ServerSocketChannel.open().socket();
    }

    /** Whether the other end has sent nothing until now, not even an end. Bytes that it has sent are lost. */
    static boolean isQuiet(Socket socket) throws IOException {
        SocketChannel channel = requireNonNull(socket.getChannel(), "a socket without a channel");
        channel.configureBlocking(false);
        try {
            return channel.read(ByteBuffer.allocate(1)) == 0;
        } finally {
            channel.configureBlocking(true);
        }
    }
}
