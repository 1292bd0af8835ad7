// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server's local socket, which gives the same answer to a question each time. */
final class AdminStub implements AutoCloseable {

    private final ServerSocketChannel server;
    private final Map<String, String> answers;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** @param answers JSON, by what is asked, e.g. {@code GET /lrms} */
    AdminStub(Path socket, Map<String, String> answers) throws IOException {
        this.answers = Map.copyOf(answers);
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(this::serve);
    }

    /** What has been asked, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve() {
        while (server.isOpen()) {
            try (SocketChannel channel = server.accept()) {
                answer(channel);
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void answer(SocketChannel channel) throws IOException {
        BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.US_ASCII));
        String[] words = requireNonNull(in.readLine()).split(" ", -1);
        String question = words[0] + " " + words[1];
        for (String line = in.readLine(); line != null && !line.isEmpty(); ) {
            line = in.readLine();
        }
        asked.add(question);
        String body = answers.get(question);
        byte[] bytes = (body == null ? "{}" : body).getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + (body == null ? "404 Not Found" : "200 OK")
                + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                + "\r\nConnection: close\r\n\r\n";
        channel.write(StandardCharsets.US_ASCII.encode(head));
        channel.write(java.nio.ByteBuffer.wrap(bytes));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
