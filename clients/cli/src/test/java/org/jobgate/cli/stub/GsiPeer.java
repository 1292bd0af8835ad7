// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** The server's side of a security context of GSI, whose tokens a test carries. */
public final class GsiPeer {
    private static final int ROOM = 64 * 1024;

    private final SSLEngine engine;

    public GsiPeer(SSLContext server) throws SSLException {
        engine = server.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        engine.setEnabledProtocols(new String[] {"TLSv1.2"});
        engine.beginHandshake();
    }

    /** Takes all that the client has said, and answers it. */
    public byte[] step(byte[] token) throws SSLException {
        ByteBuffer in = ByteBuffer.wrap(token);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean goesOn = true;
        while (goesOn) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> wrap(new byte[0], out);
                case NEED_UNWRAP -> {
                    goesOn = in.hasRemaining();
                    if (goesOn) {
                        engine.unwrap(in, ByteBuffer.allocate(ROOM));
                    }
                }
                default -> goesOn = false;
            }
        }
        return out.toByteArray();
    }

    public boolean isEstablished() {
        return engine.getSession().isValid()
                && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Asks the client to begin anew, which GSI does not know. */
    public byte[] askToBeginAnew() throws SSLException {
        engine.beginHandshake();
        return step(new byte[0]);
    }

    public byte[] wrap(byte[] plain) throws SSLException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        wrap(plain, out);
        return out.toByteArray();
    }

    private void wrap(byte[] plain, ByteArrayOutputStream out) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(ROOM);
        engine.wrap(ByteBuffer.wrap(plain), record);
        out.write(record.array(), 0, record.position());
    }

    /** Of one record. */
    public byte[] unwrap(byte[] token) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(ROOM);
        engine.unwrap(ByteBuffer.wrap(token), plain);
        byte[] bytes = new byte[plain.flip().remaining()];
        plain.get(bytes);
        return bytes;
    }
}
