// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * The client's side of a security context of GSI: a TLS 1.2 conversation whose records the caller carries, as tokens, to the server and
 * back (GFD.020, section 4). For one thread.
 */
public final class GsiTokens {
    /** So much may wait for the rest of its record. */
    private static final int WAITING_MAX = 1 << 20;

    private final SSLEngine engine;
    private final Credential credential;
    private final String host;
    private final int port;
    private byte[] waiting = new byte[0];

    private GsiTokens(SSLEngine engine, Credential credential, String host, int port) {
        this.engine = engine;
        this.credential = credential;
        this.host = host;
        this.port = port;
    }

    /** A new one, which nothing has been said in; the server must have a certificate for its host. */
    public static GsiTokens with(Credential credential, TrustDirectory trusted, String host, int port)
            throws IOException {
        requireNonNull(credential, "credential is null");
        SSLEngine engine = TlsConnector.context(credential, new ServerTrust(trusted, new ServerName.Host(), host))
                .createSSLEngine();
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {"TLSv1.2"});
        engine.beginHandshake();
        return new GsiTokens(engine, credential, host, port);
    }

    /** Whether both sides know each other. */
    public boolean isEstablished() {
        SSLEngineResult.HandshakeStatus status = engine.getHandshakeStatus();
        return status == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING
                && engine.getSession().isValid();
    }

    /**
     * Takes the server's token, empty at first, and answers ours, which is empty where the server's was not whole or was the last.
     *
     * @throws IOException the server is not believed, or does not accept our certificate; the message is for a person
     */
    public byte[] step(byte[] token) throws IOException {
        add(token);
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        try {
            boolean goesOn = true;
            while (goesOn && !isEstablished()) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NEED_WRAP -> wrap(ByteBuffer.allocate(0), ours);
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> goesOn = unwrap(new ByteArrayOutputStream());
                    default -> goesOn = false;
                }
            }
        } catch (SSLException e) {
            throw TlsConnector.explained(e, credential, host, port);
        }
        return ours.toByteArray();
    }

    /** Encrypts. */
    public byte[] wrap(byte[] plain) throws IOException {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream(plain.length + 512);
        ByteBuffer rest = ByteBuffer.wrap(plain);
        while (rest.hasRemaining()) {
            wrap(rest, sealed);
        }
        return sealed.toByteArray();
    }

    /** Decrypts what is whole. */
    public byte[] unwrap(byte[] token) throws IOException {
        add(token);
        ByteArrayOutputStream plain = new ByteArrayOutputStream(token.length);
        while (waiting.length > 0 && unwrap(plain)) {
            // the next record
        }
        return plain.toByteArray();
    }

    private void add(byte[] token) throws SSLException {
        if (waiting.length + token.length > WAITING_MAX) {
            throw new SSLException("the server's token is longer than " + WAITING_MAX + " bytes");
        }
        byte[] all = Arrays.copyOf(waiting, waiting.length + token.length);
        System.arraycopy(token, 0, all, waiting.length, token.length);
        waiting = all;
    }

    private void wrap(ByteBuffer plain, ByteArrayOutputStream out) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        SSLEngineResult result = engine.wrap(plain, record);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the server has closed the security context");
        }
        requireMotion(result);
        out.write(record.array(), 0, record.position());
    }

    /** Whether a record was taken. */
    private boolean unwrap(ByteArrayOutputStream out) throws SSLException {
        ByteBuffer sealed = ByteBuffer.wrap(waiting);
        ByteBuffer plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        SSLEngineResult result = engine.unwrap(sealed, plain);
        waiting = Arrays.copyOfRange(waiting, sealed.position(), waiting.length);
        out.write(plain.array(), 0, plain.position());
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            return false;
        }
        requireMotion(result);
        return true;
    }

    /** A server that asks to begin anew, which GSI does not know, has the engine do nothing else, however often it is called. */
    private static void requireMotion(SSLEngineResult result) throws SSLException {
        if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
            throw new SSLException("the server has left the security context");
        }
    }
}
