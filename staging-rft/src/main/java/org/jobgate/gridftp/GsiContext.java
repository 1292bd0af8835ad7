// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * One security context of GSI: tokens in, tokens out. Its tokens are TLS records; how they travel (base64 in {@code ADAT}, or as they
 * are on a data channel) is the caller's. TLS 1.2: with 1.3 the session tickets that a server sends after the handshake would be read as
 * data on channels that go on in the clear.
 *
 * <p>Not for two threads at once, but wrapping and unwrapping may be.
 */
final class GsiContext {

    private static final int MAX_BUFFERED = 1024 * 1024;

    private final SSLEngine engine;
    private ByteBuffer pending = ByteBuffer.allocate(0);

    /** The last record that was wrapped, and the last content that was unwrapped, to be written over: one for each direction. */
    private byte[] sealed = new byte[0];

    private byte[] opened = new byte[0];

    private GsiContext(SSLEngine engine) {
        this.engine = engine;
    }

    /** A context with both sides authenticated. */
    static GsiContext of(GsiSecurity security, boolean initiator, GsiTrust.PeerCheck peer) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new OneKey(security.credential())},
                    new TrustManager[] {new GsiTrust(security.validator(), peer)},
                    null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(initiator);
            engine.setEnabledProtocols(new String[] {"TLSv1.2"});
            if (!initiator) {
                engine.setNeedClientAuth(true);
            }
            engine.beginHandshake();
            return new GsiContext(engine);
        } catch (GeneralSecurityException | SSLException e) {
            throw new IllegalStateException("this Java cannot do TLS 1.2: " + e.getMessage(), e);
        }
    }

    /** Whether both sides know each other. */
    boolean isEstablished() {
        HandshakeStatus status = engine.getHandshakeStatus();
        return (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED)
                && engine.getSession().isValid();
    }

    /**
     * Takes the peer's token and answers ours; either may be empty.
     *
     * @throws SSLException if the handshake failed; the reason is in its causes
     */
    byte[] step(byte[] token) throws SSLException {
        add(token);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean goesOn = true;
        while (goesOn && !isEstablished()) {
            goesOn = switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrapInto(ByteBuffer.allocate(0), out) != SSLEngineResult.Status.CLOSED;
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapInto(new ByteArrayOutputStream());
                default -> false;
            };
        }
        return out.toByteArray();
    }

    private boolean runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return true;
    }

    /** What is left to tell a peer after a failure: the alert. */
    byte[] farewell() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            engine.closeOutbound();
            while (!engine.isOutboundDone() && wrapInto(ByteBuffer.allocate(0), out) != SSLEngineResult.Status.CLOSED) {
                // until the alert is out
            }
        } catch (SSLException e) {
            return out.toByteArray(); // it failed before: its alert is what there is
        }
        return out.toByteArray();
    }

    /** Encrypts. */
    byte[] wrap(byte[] plain, int offset, int length) throws SSLException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 512);
        ByteBuffer in = ByteBuffer.wrap(plain, offset, length);
        while (in.hasRemaining()) {
            if (wrapInto(in, out) == SSLEngineResult.Status.CLOSED) {
                throw new SSLException("the security context is closed");
            }
            refuseNewHandshake();
        }
        return out.toByteArray();
    }

    /** Decrypts what is complete. */
    byte[] unwrap(byte[] token) throws SSLException {
        add(token);
        ByteArrayOutputStream out = new ByteArrayOutputStream(token.length);
        while (pending.hasRemaining() && unwrapInto(out)) {
            refuseNewHandshake(); // else the next record
        }
        return out.toByteArray();
    }

    /** The tokens of one could not be told from content, and while one is wanted the engine takes and gives nothing else. */
    private void refuseNewHandshake() throws SSLException {
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
            throw new SSLException("the peer wants a new handshake, which is not made on an established context");
        }
    }

    /** Whether the peer has said that nothing more comes. */
    boolean isInboundDone() {
        return engine.isInboundDone();
    }

    private void add(byte[] token) throws SSLException {
        if (pending.remaining() + token.length > MAX_BUFFERED) {
            throw new SSLException("the peer's token is longer than " + MAX_BUFFERED + " bytes");
        }
        ByteBuffer joined = ByteBuffer.allocate(pending.remaining() + token.length);
        joined.put(pending).put(token).flip();
        pending = joined;
    }

    private SSLEngineResult.Status wrapInto(ByteBuffer in, ByteArrayOutputStream out) throws SSLException {
        sealed = room(sealed, engine.getSession().getPacketBufferSize());
        ByteBuffer record = ByteBuffer.wrap(sealed);
        SSLEngineResult result = engine.wrap(in, record);
        out.write(sealed, 0, record.position());
        return result.getStatus();
    }

    /** The same again where it is large enough: a new one of 16 KiB for each line would cost more than its decryption. */
    private static byte[] room(byte[] before, int size) {
        return before.length < size ? new byte[size] : before;
    }

    /** Whether something was taken. */
    private boolean unwrapInto(ByteArrayOutputStream out) throws SSLException {
        opened = room(opened, engine.getSession().getApplicationBufferSize());
        ByteBuffer plain = ByteBuffer.wrap(opened);
        SSLEngineResult result = engine.unwrap(pending, plain);
        out.write(opened, 0, plain.position());
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            return runTasks();
        }
        return result.getStatus() == SSLEngineResult.Status.OK;
    }
}
