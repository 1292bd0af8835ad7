// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** One TLS connection to a server, for one request after the other. */
final class HttpsConnection implements AutoCloseable {
    /**
     * Tried first and alone: JSSE makes a key for every group it offers, and a cold P-256 key costs 90 to 340 ms on JDK 25
     * (measured), an X25519 key a tenth of that.
     */
    private static final String[] FAST_GROUPS = {"x25519"};

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final SSLSocket socket;
    private final BufferedInputStream in;
    private final String host;
    private final int port;
    private boolean usable = true;

    private HttpsConnection(SSLSocket socket, String host, int port) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.host = host;
        this.port = port;
    }

    /** The server closed a kept connection before it answered: the request may be sent again. */
    static final class ClosedBeforeReplyException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedBeforeReplyException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Connects and agrees on keys: first with the fast group alone, then with all that the JDK has. */
    static HttpsConnection open(
            Credential credential, TrustDirectory trusted, ServerName expected, String host, int port, int timeoutMs)
            throws IOException {
        String plainHost = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        SSLContext context = context(credential, new ServerTrust(trusted, expected, plainHost));
        try {
            return handshake(context, plainHost, port, timeoutMs, true);
        } catch (SSLException e) {
            if (causedByTrust(e) != null) {
                throw explained(e, host, port);
            }
        }
        try {
            return handshake(context, plainHost, port, timeoutMs, false);
        } catch (SSLException e) {
            throw explained(e, host, port);
        }
    }

    private static SSLContext context(Credential credential, ServerTrust trust) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new OwnKey(credential)}, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new UnreachableException("This JDK cannot do TLS: " + e.getMessage() + ".", e);
        }
    }

    private static HttpsConnection handshake(
            SSLContext context, String host, int port, int timeoutMs, boolean fastGroupsOnly) throws IOException {
        Socket plain = connect(host, port, timeoutMs);
        try {
            plain.setTcpNoDelay(true);
            plain.setSoTimeout(timeoutMs);
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(PROTOCOLS);
            if (fastGroupsOnly) {
                parameters.setNamedGroups(FAST_GROUPS);
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new HttpsConnection(socket, host, port);
        } catch (SocketTimeoutException e) {
            plain.close();
            throw new UnreachableException("Server " + host + ":" + port + " did not answer the TLS greeting.", e);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket connect(String host, int port, int timeoutMs) throws IOException {
        IOException last = new UnknownHostException(host);
        for (InetAddress address : addresses(host)) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), timeoutMs);
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        String hint = last instanceof ConnectException ? " Is the service running there?" : "";
        throw new UnreachableException(
                "Cannot connect to " + host + ":" + port + ": " + last.getMessage() + "." + hint, last);
    }

    private static InetAddress[] addresses(String host) throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new UnreachableException("Host " + host + " is not known. Check the name given with -factory.", e);
        }
    }

    private static UnreachableException explained(SSLException e, String host, int port) {
        CredentialException trust = causedByTrust(e);
        if (trust != null) {
            return new UnreachableException(String.valueOf(trust.getMessage()), e);
        }
        return new UnreachableException("TLS with " + host + ":" + port + " failed: " + e.getMessage() + ".", e);
    }

    private static @Nullable CredentialException causedByTrust(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof CredentialException found) {
                return found;
            }
        }
        return null;
    }

    boolean leadsTo(String wantedHost, int wantedPort) {
        return usable && port == wantedPort && host.equals(wantedHost);
    }

    /**
     * One exchange.
     *
     * @throws ClosedBeforeReplyException nothing of an answer came
     */
    HttpReply exchange(URI target, HttpRequest request) throws IOException {
        usable = false;
        try {
            send(target, request);
            awaitReply();
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
        return result.reply();
    }

    private void send(URI target, HttpRequest request) throws IOException {
        String path = target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
        String head = request.method() + " " + path + " HTTP/1.1\r\nHost: " + target.getRawAuthority()
                + "\r\nUser-Agent: jobgate-globusrun-ws\r\n" + request.headerLines() + "\r\n";
        byte[] body = request.body();
        ByteArrayOutputStream message = new ByteArrayOutputStream(head.length() + body.length);
        message.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        message.writeBytes(body);
        socket.getOutputStream().write(message.toByteArray());
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
        String message = String.valueOf(e.getMessage());
        if (message.contains("certificate") || message.contains("unknown_ca")) {
            return new IOException(
                    "Server " + host + ":" + port + " does not accept our certificate (" + message
                            + "). Is it expired, or signed by an authority that the server does not know?",
                    e);
        }
        return new ClosedBeforeReplyException("TLS with " + host + ":" + port + " broke: " + message + ".", e);
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
