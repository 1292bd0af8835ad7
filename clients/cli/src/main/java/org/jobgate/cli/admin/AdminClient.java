// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpReplyReader;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the server over its local socket: HTTP/1.1 and JSON. Who may open the socket is the file system's decision. */
final class AdminClient {
    private static final int STATUS_ERROR = 400;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path socket;
    private final Duration timeout;

    /** @param timeout for one whole exchange */
    AdminClient(Path socket, Duration timeout) {
        this.socket = requireNonNull(socket, "socket is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    /** Nobody listens at the socket. */
    static final class NotRunningException extends Exception {
        private static final long serialVersionUID = 1L;

        NotRunningException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Asks the server to end. If the connection ends before an answer came, the server has ended too. */
    void stop() throws AdminException, NotRunningException {
        try {
            post("/stop");
        } catch (AdminException e) {
            if (!(e.getCause() instanceof EOFException)) {
                throw e;
            }
        }
    }

    JsonNode get(String path) throws AdminException, NotRunningException {
        return exchange("GET", path, "");
    }

    JsonNode post(String path) throws AdminException, NotRunningException {
        return post(path, "");
    }

    JsonNode post(String path, String body) throws AdminException, NotRunningException {
        return exchange("POST", path, body);
    }

    private JsonNode exchange(String method, String path, String body) throws AdminException, NotRunningException {
        HttpReply reply;
        try (SocketChannel channel = connect()) {
            Thread guard = Thread.ofVirtual().start(() -> closeAfter(channel));
            try {
                byte[] content = body.getBytes(StandardCharsets.UTF_8);
                String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + content.length
                        + "\r\nConnection: close\r\n\r\n";
                send(channel, head.getBytes(StandardCharsets.US_ASCII));
                send(channel, content);
                reply = new HttpReplyReader(Channels.newInputStream(channel))
                        .read()
                        .reply();
            } finally {
                guard.interrupt();
            }
        } catch (AsynchronousCloseException e) {
            throw new AdminException(
                    "The server did not answer " + method + " " + path + " within " + timeout.toSeconds() + " s.", e);
        } catch (IOException e) {
            throw new AdminException("The exchange with the server over " + socket + " failed: " + e.getMessage(), e);
        }
        return content(reply, path);
    }

    private static void send(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private SocketChannel connect() throws AdminException, NotRunningException {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(socket));
                return channel;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (AccessDeniedException e) {
            throw notAllowed(e);
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("Permission denied")
                    || (Files.exists(socket) && !Files.isReadable(socket))) {
                throw notAllowed(e);
            }
            throw new NotRunningException("No server listens at " + socket + ".", e);
        }
    }

    private AdminException notAllowed(IOException cause) {
        return new AdminException(
                "Socket " + socket + " may be used by the server's own account and root only. Use sudo.", cause);
    }

    private void closeAfter(SocketChannel channel) {
        try {
            Thread.sleep(timeout);
            channel.close();
        } catch (InterruptedException e) {
            // the exchange is over in time: nothing to guard
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // it is closed, and that was all we wanted
            Thread.currentThread().interrupt();
        }
    }

    private static JsonNode content(HttpReply reply, String path) throws AdminException {
        JsonNode tree;
        try {
            tree = reply.body().length == 0 ? JSON.createObjectNode() : JSON.readTree(reply.body());
        } catch (JacksonException e) {
            throw new AdminException("The server's answer to " + path + " is not JSON" + reply.bodyStart(), e);
        }
        if (reply.status() >= STATUS_ERROR) {
            JsonNode error = tree.path("error");
            String remedy = error.path("remedy").asString("");
            throw new AdminException(
                    error.path("sentence").asString("The server answered with status " + reply.status())
                            + (remedy.isEmpty() ? "" : " " + remedy));
        }
        return tree;
    }
}
