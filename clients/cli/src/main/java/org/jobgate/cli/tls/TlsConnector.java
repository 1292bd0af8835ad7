// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;

/** Opens TLS connections to servers that are believed by a trust directory. */
public final class TlsConnector {
    /**
     * Tried first and alone: JSSE makes a key for every group it offers, and a cold P-256 key costs 90 to 340 ms on JDK 25
     * (measured), an X25519 key a tenth of that.
     */
    private static final String[] FAST_GROUPS = {"x25519"};

    private static final int PENDING_MS = 1_000;

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsConnector() {}

    /**
     * Connects and agrees on keys: first with the fast group alone, then with all that the JDK has.
     *
     * @param credential what is shown to a server that asks; null for nothing
     * @param host a name or an address; an IPv6 address may stand in brackets
     * @param timeoutMs for each step, in milliseconds; also the socket's own for each wait for bytes
     * @throws UnreachableException not reached, or not believed; the message is for a person
     * @throws RefusedException our certificate was refused; with TLS 1.3 that is known at the first read only: {@link #explained}
     */
    public static SSLSocket connect(
            @Nullable Credential credential,
            TrustDirectory trusted,
            ServerName expected,
            String host,
            int port,
            int timeoutMs)
            throws IOException {
        String plainHost = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        SSLContext context = context(credential, new ServerTrust(trusted, expected, plainHost));
        try {
            return handshake(context, plainHost, port, timeoutMs, true);
        } catch (SSLException e) {
            if (causedByTrust(e) != null || CertificateAlert.refusal(e, credential, host, port) != null) {
                throw explained(e, credential, host, port);
            }
        }
        try {
            return handshake(context, plainHost, port, timeoutMs, false);
        } catch (SSLException e) {
            throw explained(e, credential, host, port);
        }
    }

    static SSLContext context(@Nullable Credential credential, ServerTrust trust) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys = credential == null ? new KeyManager[0] : new KeyManager[] {new OwnKey(credential)};
            context.init(keys, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new UnreachableException("This JDK cannot do TLS: " + Sentence.of(e.getMessage()), e);
        }
    }

    private static SSLSocket handshake(SSLContext context, String host, int port, int timeoutMs, boolean fastGroupsOnly)
            throws IOException {
        FlightSocket plain = connect(host, port, timeoutMs);
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
            plain.handshakeDone();
            return socket;
        } catch (SocketTimeoutException e) {
            plain.close();
            throw new UnreachableException("Server " + host + ":" + port + " did not answer the TLS greeting.", e);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    /**
     * Agrees on keys over a connection that is open, as GSI's data channels have it: with TLS 1.2. The caller closes the connection.
     *
     * @throws IOException the other end is not believed, or does not believe us; the message is for a person
     */
    public static SSLSocket over(
            Socket open, Credential credential, TrustDirectory trusted, ServerName expected, String host)
            throws IOException {
        SSLContext context = context(credential, new ServerTrust(trusted, expected, host));
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(open, host, open.getPort(), false);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        try {
            socket.startHandshake();
        } catch (SSLException e) {
            throw explained(e, credential, host, open.getPort());
        }
        return socket;
    }

    private static FlightSocket connect(String host, int port, int timeoutMs) throws IOException {
        IOException last = new UnknownHostException(host);
        for (InetAddress address : addresses(host)) {
            FlightSocket socket = new FlightSocket();
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
                "Cannot connect to " + host + ":" + port + ": " + Sentence.of(last.getMessage()) + hint, last);
    }

    private static InetAddress[] addresses(String host) throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new UnreachableException("Host " + host + " is not known. Check the name.", e);
        }
    }

    /**
     * What a failure on a connection that was just made means: where it tells, or the server's alert that still waits to be read tells,
     * that our certificate was refused, that; else the failure itself.
     *
     * @param shown null where no certificate was shown
     */
    public static IOException explained(IOException e, SSLSocket socket, @Nullable Credential shown) {
        SSLException told = e instanceof SSLException ssl ? ssl : null;
        if (e instanceof SocketException) {
            try {
                socket.setSoTimeout(PENDING_MS);
                socket.getInputStream().read();
            } catch (SSLException alert) {
                told = alert;
            } catch (IOException nothing) {
                e.addSuppressed(nothing);
            }
        }
        RefusedException refusal = told == null
                ? null
                : CertificateAlert.refusal(told, shown, socket.getInetAddress().getHostName(), socket.getPort());
        return refusal == null ? e : refusal;
    }

    static IOException explained(SSLException e, @Nullable Credential shown, String host, int port) {
        CredentialException trust = causedByTrust(e);
        if (trust != null) {
            return new UnreachableException(String.valueOf(trust.getMessage()), e);
        }
        RefusedException refusal = CertificateAlert.refusal(e, shown, host, port);
        if (refusal != null) {
            return refusal;
        }
        return new UnreachableException("TLS with " + host + ":" + port + " failed: " + Sentence.of(e.getMessage()), e);
    }

    private static @Nullable CredentialException causedByTrust(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof CredentialException found) {
                return found;
            }
        }
        return null;
    }
}
