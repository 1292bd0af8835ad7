// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** An HTTPS server that asks for a client certificate and gives whatever bytes the test wants; an empty answer closes the connection. */
public final class StubServer implements AutoCloseable {

    private final SSLServerSocket socket;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Function<String, String> answer;
    public final List<String> requests = new CopyOnWriteArrayList<>();
    public final Queue<String> peers = new ConcurrentLinkedQueue<>();
    public final Queue<String> addresses = new ConcurrentLinkedQueue<>();

    public StubServer(SSLContext context, Function<String, String> answer) throws IOException {
        this.answer = answer;
        this.socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        socket.setNeedClientAuth(true);
        threads.execute(this::accept);
    }

    public static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                SSLSocket client = (SSLSocket) socket.accept();
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(SSLSocket client) {
        try (client) {
            addresses.add(client.getInetAddress().getHostAddress());
            client.startHandshake();
            peers.add(client.getSession().getPeerPrincipal().getName());
            InputStream in = new BufferedInputStream(client.getInputStream());
            for (String request = read(in); !request.isEmpty(); request = read(in)) {
                requests.add(request);
                String reply = answer.apply(request);
                if (reply.isEmpty()) {
                    return;
                }
                client.getOutputStream().write(reply.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException refused) {
            peers.add("refused: " + refused.getMessage());
        }
    }

    /** Head and body of one request; empty at the end of the connection. */
    private static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring(16)))
                .findFirst()
                .orElse(0);
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
