// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jobgate.soap.Answer;

/** A client's notification consumer; can be told to refuse. */
final class TestConsumer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();

    /** A message, and when it came. */
    record Arrival(Instant at, String text) {}

    private volatile int status = 200;
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile boolean isHeld;

    TestConsumer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            String message = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            waitWhileHeld();
            // asked once: a change between the two uses would lose the message
            int answer = status;
            if (answer == 200) {
                arrivals.add(new Arrival(Instant.now(), message));
                messages.add(message);
            }
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
    }

    private void waitWhileHeld() {
        if (!isHeld) {
            return;
        }
        try {
            letGo.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/wsrf/services/NotificationConsumerService";
    }

    void answer(int newStatus) {
        status = newStatus;
    }

    /** Takes no message from now on, and answers none, until it is released. */
    void hold() {
        isHeld = true;
    }

    void letGo() {
        letGo.countDown();
    }

    List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    List<Answer> messages() {
        return messages.stream().map(text -> new Answer(200, text)).toList();
    }

    List<String> states() {
        return messages().stream().map(message -> message.one("state")).toList();
    }

    @Override
    public void close() {
        letGo();
        server.stop(0);
    }
}
