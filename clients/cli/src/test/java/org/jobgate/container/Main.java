// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Answers on the admin socket as the server's contract says, with one job and no life. */
public final class Main {
    private static final String HEAD = "state: { directory: ";

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        String config = Files.readString(Path.of(arguments[List.of(arguments).indexOf("--config") + 1]));
        if (config.startsWith("# refuse")) {
            System.err.println("the stand-in refuses this configuration");
            System.exit(7);
        }
        if (List.of(arguments).contains("--check")) {
            return;
        }
        Path state = Path.of(config.substring(HEAD.length(), config.indexOf(" }")));
        Files.createDirectories(state);
        Files.writeString(state.resolve("jobgate.pid"), ProcessHandle.current().pid() + "\n");
        Path socket = state.resolve("admin.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            boolean isGoing = true;
            while (isGoing) {
                try (SocketChannel client = server.accept()) {
                    isGoing = answer(client);
                }
            }
        }
        Files.delete(socket);
    }

    private static boolean answer(SocketChannel client) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        client.read(buffer);
        String request = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
        String path = request.split(" ", 3)[0] + " " + request.split(" ", 3)[1];
        if (path.equals("POST /stop")) {
            // as the real server did once: gone before the answer
            return false;
        }
        String body = switch (path) {
            case "GET /status" ->
                "{\"state\":\"running\",\"pid\":" + ProcessHandle.current().pid()
                        + ",\"url\":\"https://localhost:8443/\"}";
            case "GET /jobs?limit=100" ->
                "{\"jobs\":[{\"id\":\"j1\",\"state\":\"Active\",\"localIds\":[\"1\",\"2\"]}]}";
            default ->
                "{\"error\":{\"code\":\"NOT_FOUND\",\"sentence\":\"There is no job nope.\",\"remedy\":\"Look at the list.\"}}";
        };
        String head = "HTTP/1.1 " + (body.startsWith("{\"error") ? 404 : 200) + " X\r\nContent-Length: " + body.length()
                + "\r\n\r\n";
        client.write(ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII)));
        return true;
    }
}
