// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An HTTP server on the loopback interface that takes every message and keeps it. */
final class Consumer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final HttpServer server;

    Consumer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            messages.add(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/consumer";
    }

    /** The next message, which must come within some minutes. */
    byte[] next() throws InterruptedException {
        byte[] message = messages.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (message == null) {
            throw new AssertionError("no message came within " + PATIENCE);
        }
        return message;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
