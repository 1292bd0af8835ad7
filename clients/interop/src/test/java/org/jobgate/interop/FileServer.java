// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.impl.SocketFactoryCreator2;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A web server with files in memory, for callers with a certificate of the gateway's authority only. It knows ranges, and can be slow.
 */
final class FileServer implements AutoCloseable {

    private static final int PIECE = 65_536;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final OpensslCertChainValidator trust;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<Long> offsets = new CopyOnWriteArrayList<>();
    private final List<String> callers = new CopyOnWriteArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private volatile long pauseMillis;
    private volatile long mostSent = Long.MAX_VALUE;
    private final @Nullable String authorization;

    FileServer(Gateway gateway) throws IOException, GeneralSecurityException {
        this(gateway, null);
    }

    /** One that asks for no certificate, and lets in who sends this in the header Authorization only. */
    static FileServer asking(Gateway gateway, String authorization) throws IOException, GeneralSecurityException {
        return new FileServer(gateway, authorization);
    }

    private FileServer(Gateway gateway, @Nullable String authorization) throws IOException, GeneralSecurityException {
        this.authorization = authorization;
        trust = new OpensslCertChainValidator(gateway.trustDirectory().toString());
        PEMCredential host = new PEMCredential(
                gateway.hostKey().toString(), gateway.hostCertificate().toString(), null);
        SSLContext context = new SocketFactoryCreator2(host, trust, (certificate, name) -> {}).getSSLContext();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(authorization == null);
                parameters.setSSLParameters(wanted);
            }
        });
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url(String path) {
        return "https://localhost:" + server.getAddress().getPort() + path;
    }

    void put(String path, byte[] content) {
        files.put(path, content);
    }

    byte[] get(String path) {
        return files.getOrDefault(path, new byte[0]);
    }

    /** Waits so long after each 64 KiB that it sends or gets. */
    void slowDown(long millis) {
        pauseMillis = millis;
    }

    /** Sends so many bytes in all, and the rest when {@link #sendTheRest} is called. */
    void sendAtMost(long bytes) {
        mostSent = bytes;
    }

    void sendTheRest() {
        mostSent = Long.MAX_VALUE;
    }

    /** Bytes of files that it sent. */
    long sent() {
        return sent.get();
    }

    /** Bytes of files that were sent to it. */
    long received() {
        return received.get();
    }

    private byte[] receive(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        for (int got = exchange.getRequestBody().read(piece);
                got >= 0;
                got = exchange.getRequestBody().read(piece)) {
            all.write(piece, 0, got);
            received.addAndGet(got);
            pause();
        }
        return all.toByteArray();
    }

    /** Where each GET began. */
    List<Long> offsets() {
        return offsets;
    }

    /** The subjects of those who called. */
    List<String> callers() {
        return callers;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (authorization == null) {
                callers.add(((HttpsExchange) exchange)
                        .getSSLSession()
                        .getPeerPrincipal()
                        .getName());
            } else if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            String path = exchange.getRequestURI().getPath();
            switch (exchange.getRequestMethod()) {
                case "GET" -> send(exchange, files.get(path));
                case "PUT" -> {
                    files.put(path, receive(exchange));
                    exchange.sendResponseHeaders(201, -1);
                }
                default -> exchange.sendResponseHeaders(405, -1);
            }
        }
    }

    private void send(HttpExchange exchange, byte @Nullable [] file) throws IOException {
        if (file == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        String tag = "\"" + Arrays.hashCode(file) + "\"";
        String range = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Range"), "");
        boolean isPart =
                !range.isEmpty() && tag.equals(exchange.getRequestHeaders().getFirst("If-Range"));
        int from = isPart ? Integer.parseInt(range.replaceAll("\\D", "")) : 0;
        offsets.add((long) from);
        exchange.getResponseHeaders().set("ETag", tag);
        if (isPart) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (file.length - 1) + "/" + file.length);
        }
        exchange.sendResponseHeaders(isPart ? 206 : 200, file.length - from);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int at = from; at < file.length; at += PIECE) {
                int length = Math.min(PIECE, file.length - at);
                out.write(file, at, length);
                sent.addAndGet(length);
                pause();
                awaitRest();
            }
        }
    }

    private void awaitRest() throws IOException {
        try {
            while (sent.get() >= mostSent) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server was closed while it waited for the test", e);
        }
    }

    private void pause() {
        try {
            Thread.sleep(pauseMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        trust.dispose();
    }
}
