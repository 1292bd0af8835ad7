// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One keep-alive HTTPS connection, for one thread. It connects when first used and again after a failure, a close, or a time without
 * use in which the server may have given it up; it never repeats a request by itself, for only the caller knows whether that is safe.
 */
public final class HttpsConnection implements Closeable {

    private static final int BUFFER_BYTES = 16_384;

    /** Less than servers keep a connection that nobody uses: ours 30 s. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(10);

    private final SSLContext context;
    private final InetSocketAddress address;
    private final String host;
    private final int timeoutMs;
    private @Nullable InetAddress from;
    private @Nullable SSLSocket socket;
    private @Nullable InputStream in;
    private Duration maxIdle = MAX_IDLE;
    private long connects;
    private long lastUsed;

    /**
     * A connection not yet made.
     *
     * @param host the name that the server's certificate must bear
     * @param address where to connect; its name is not looked up again
     * @param timeout for the connect and for each read
     */
    public HttpsConnection(SSLContext context, String host, InetSocketAddress address, Duration timeout) {
        this.context = requireNonNull(context, "context is null");
        this.host = requireNonNull(host, "host is null");
        this.address = requireNonNull(address, "address is null");
        this.timeoutMs = Math.toIntExact(timeout.toMillis());
    }

    /**
     * Connects from this address of the machine instead of one that the system chooses.
     *
     * @return this
     */
    public HttpsConnection from(InetAddress local) {
        this.from = requireNonNull(local, "local is null");
        return this;
    }

    /**
     * Keeps the connection when it has not been used for so long, instead of 10 s; the server must keep it as well.
     *
     * @return this
     */
    public HttpsConnection idleFor(Duration most) {
        this.maxIdle = requireNonNull(most, "most is null");
        return this;
    }

    /** Sends a SOAP 1.1 message. */
    public HttpReply post(String path, String soapAction, String message) throws IOException {
        byte[] body = message.getBytes(StandardCharsets.UTF_8);
        return exchange(
                "POST " + path + " HTTP/1.1\r\nHost: " + authority()
                        + "\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"" + soapAction
                        + "\"\r\nContent-Length: " + body.length + "\r\n\r\n",
                body);
    }

    /** Sends a request with a body of any kind; the answer is asked for as JSON. */
    public HttpReply send(String method, String path, String contentType, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return exchange(
                method + " " + path + " HTTP/1.1\r\nHost: " + authority()
                        + "\r\nAccept: application/json\r\nContent-Type: " + contentType + "\r\nContent-Length: "
                        + bytes.length + "\r\n\r\n",
                bytes);
    }

    public HttpReply get(String path) throws IOException {
        return exchange(getting(path), new byte[0]);
    }

    /**
     * Gets a path and lets the content pass by: for long answers, of which a client's keeping would be a good part of the time.
     *
     * @return how many bytes the content had
     * @throws RefusedException where the status is not 200
     */
    public long pass(String path) throws IOException, RefusedException {
        HttpReply.Passed passed = exchange(getting(path), new byte[0], HttpReply::pass, HttpReply.Passed::closes);
        if (passed.status() != 200) {
            throw new RefusedException(passed.status(), path);
        }
        return passed.bytes();
    }

    private String getting(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n";
    }

    /**
     * Begins to follow a stream of server-sent events; the connection is of no use for anything else until it is closed.
     *
     * @throws RefusedException where the answer is no stream
     */
    public EventReader follow(String path) throws IOException, RefusedException {
        close();
        SSLSocket connected = connect();
        HttpReply.write(
                connected.getOutputStream(),
                "GET " + path + " HTTP/1.1\r\nHost: " + authority() + "\r\nAccept: text/event-stream\r\n\r\n",
                new byte[0]);
        InputStream answer = requireNonNull(in);
        int status = HttpReply.status(HttpReply.line(answer));
        String type = HttpReply.headers(answer).getOrDefault("content-type", "");
        if (status != 200 || !type.startsWith("text/event-stream")) {
            close();
            throw new RefusedException(status, type);
        }
        return new EventReader(answer);
    }

    /** How often a connection was made: 1 means that keep-alive worked all the time. */
    public long connects() {
        return connects;
    }

    private String authority() {
        return host + ":" + address.getPort();
    }

    /** How an answer is read. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(InputStream in) throws IOException;
    }

    private HttpReply exchange(String head, byte[] body) throws IOException {
        return exchange(head, body, HttpReply::read, HttpReply::closes);
    }

    private <T> T exchange(String head, byte[] body, Reader<T> reader, Predicate<T> closes) throws IOException {
        boolean whole = false;
        if (System.nanoTime() - lastUsed > maxIdle.toNanos()) {
            close();
        }
        try {
            SSLSocket connected = socket != null ? socket : connect();
            HttpReply.write(connected.getOutputStream(), head, body);
            T reply = reader.read(requireNonNull(in));
            whole = !closes.test(reply);
            return reply;
        } finally {
            lastUsed = System.nanoTime();
            if (!whole) {
                close();
            }
        }
    }

    private SSLSocket connect() throws IOException {
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.setSoTimeout(timeoutMs);
            if (from != null) {
                plain.bind(new InetSocketAddress(from, 0));
            }
            plain.connect(address, timeoutMs);
            SSLSocket secured =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, host, address.getPort(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            in = new BufferedInputStream(secured.getInputStream(), BUFFER_BYTES);
            socket = secured;
            connects++;
            return secured;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** Drops the connection; the next request makes a new one. */
    @Override
    public void close() throws IOException {
        SSLSocket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            open.close();
        }
    }
}
