// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * An https server on the loopback interface that is everything a hostile one is to who fetches files: it promises much and sends a byte
 * twice a second, or sends who asks elsewhere. It has one good file too.
 */
final class DrippingSite implements AutoCloseable {

    static final String GOOD = "good\n";

    private static final long PROMISED = 10_000_000;
    private static final long PAUSE_MS = 500;
    private static final int BACKLOG = 256;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger dripping = new AtomicInteger();

    /**
     * Listens at a free port from now on.
     *
     * @param tls shows a certificate of {@code localhost}
     * @param elsewhere where it sends who asks for {@link #elsewhere}
     */
    DrippingSite(SSLContext tls, String elsewhere) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/good", exchange -> {
            try (exchange) {
                byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.createContext("/elsewhere", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Location", elsewhere);
                exchange.sendResponseHeaders(302, -1);
            }
        });
        server.createContext("/drip", this::drip);
        server.start();
    }

    private void drip(HttpExchange exchange) throws IOException {
        dripping.incrementAndGet();
        try (exchange) {
            exchange.sendResponseHeaders(200, PROMISED);
            OutputStream body = exchange.getResponseBody();
            for (long sent = 0; sent < PROMISED; sent++) {
                body.write('x');
                body.flush();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            dripping.decrementAndGet();
        }
    }

    private String url(String path) {
        return "https://localhost:" + server.getAddress().getPort() + path;
    }

    String good() {
        return url("/good");
    }

    String drip() {
        return url("/drip");
    }

    String elsewhere() {
        return url("/elsewhere");
    }

    /** How many wait for its drops. */
    int dripping() {
        return dripping.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
