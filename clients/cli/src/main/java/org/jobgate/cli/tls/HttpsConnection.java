// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;

/** One TLS connection to a server, for one request after the other. */
final class HttpsConnection implements AutoCloseable {
    /** What a server said before it closed is on this machine already, or nearly. */
    private static final int PENDING_MS = 1_000;

    /** A connection that was used a shorter time ago is not looked at: that costs a read of a millisecond. */
    private static final long UNUSED_NS = 200_000_000;

    private static final int LOOK_MS = 1;

    private final SSLSocket socket;
    private final BufferedInputStream in;
    private final @Nullable Credential credential;
    private final String identityLine;
    private final String host;
    private final int port;
    private boolean usable = true;
    private long lastUsed = System.nanoTime();

    private HttpsConnection(SSLSocket socket, Identification shown, String host, int port) throws IOException {
        this.socket = socket;
        this.credential = shown.credential();
        this.in = new BufferedInputStream(socket.getInputStream());
        this.identityLine = shown.headerLine();
        this.host = host;
        this.port = port;
    }

    /** The server closed a kept connection before it answered. Whether it worked on the request is not known. */
    static final class ClosedBeforeReplyException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedBeforeReplyException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Connects and agrees on keys. */
    static HttpsConnection open(
            Identification identification,
            TrustDirectory trusted,
            ServerName expected,
            String host,
            int port,
            int timeoutMs)
            throws IOException {
        SSLSocket socket = TlsConnector.connect(identification.credential(), trusted, expected, host, port, timeoutMs);
        try {
            return new HttpsConnection(socket, identification, host, port);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    boolean leadsTo(String wantedHost, int wantedPort) {
        return usable && port == wantedPort && host.equals(wantedHost);
    }

    /** Whether the server has not closed it, as far as this machine knows. What it says unasked makes it of no use, too. */
    boolean isStillOpen() throws IOException {
        if (System.nanoTime() - lastUsed < UNUSED_NS) {
            return true;
        }
        int patience = socket.getSoTimeout();
        try {
            socket.setSoTimeout(LOOK_MS);
            in.read();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            if (!socket.isClosed()) {
                socket.setSoTimeout(patience);
            }
        }
    }

    /**
     * One exchange.
     *
     * @throws ClosedBeforeReplyException nothing of an answer came
     * @throws RefusedException our certificate was refused
     */
    HttpReply exchange(URI target, HttpRequest request) throws IOException {
        usable = false;
        try {
            sendAndAwait(target, request);
        } catch (SocketTimeoutException e) {
            throw new IOException(
                    "Server " + host + ":" + port + " did not answer within " + socket.getSoTimeout()
                            + " ms (-http-timeout).",
                    e);
        } catch (SSLException e) {
            throw refusedByServer(e);
        } catch (SocketException | EOFException e) {
            throw new ClosedBeforeReplyException(
                    "Server " + host + ":" + port + " closed the connection before it answered.", e);
        }
        HttpReplyReader.Result result = new HttpReplyReader(in).read();
        usable = result.keepsConnection();
        lastUsed = System.nanoTime();
        return result.reply();
    }

    private void send(URI target, HttpRequest request) throws IOException {
        String path = target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
        String head = request.method() + " " + path + " HTTP/1.1\r\nHost: " + target.getRawAuthority()
                + "\r\nUser-Agent: jobgate-globusrun-ws\r\n" + identityLine + request.headerLines() + "\r\n";
        byte[] body = request.body();
        ByteArrayOutputStream message = new ByteArrayOutputStream(head.length() + body.length);
        message.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        message.writeBytes(body);
        socket.getOutputStream().write(message.toByteArray());
    }

    /** A server that closes while we write may have said why before: a TLS alert, or an early answer, which is still to be read. */
    private void sendAndAwait(URI target, HttpRequest request) throws IOException {
        try {
            send(target, request);
        } catch (SocketException e) {
            socket.setSoTimeout(Math.min(PENDING_MS, Math.max(1, socket.getSoTimeout())));
            try {
                awaitReply();
                return;
            } catch (SocketTimeoutException | SocketException | EOFException nothing) {
                e.addSuppressed(nothing);
                throw e;
            }
        }
        awaitReply();
    }

    private void awaitReply() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            throw new EOFException();
        }
        in.reset();
    }

    /** With TLS 1.3 a server's no to our certificate arrives only after the handshake. */
    private IOException refusedByServer(SSLException e) {
        RefusedException refusal = CertificateAlert.refusal(e, credential, host, port);
        return refusal != null
                ? refusal
                : new ClosedBeforeReplyException(
                        "TLS with " + host + ":" + port + " broke: " + Sentence.of(e.getMessage()), e);
    }

    @Override
    public void close() {
        usable = false;
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is lost: the answer was read, or the failure is reported already
            usable = false;
        }
    }
}
