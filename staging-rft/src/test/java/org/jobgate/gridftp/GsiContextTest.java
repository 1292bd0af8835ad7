// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A security context with a peer that does with TLS what it likes. */
class GsiContextTest {

    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path trust;

    private GsiContext client;
    private SSLEngine peer;

    @BeforeEach
    void handshake() throws Exception {
        GridPki pki = new GridPki(trust);
        GsiSecurity user = pki.security(GridPki.proxy(pki.user("Alice"), options -> {}), Delegation.NONE);
        GsiSecurity host = pki.security(pki.host("localhost"), Delegation.NONE);
        client = GsiContext.of(user, true, chain -> {});
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                new KeyManager[] {new OneKey(host.credential())},
                new TrustManager[] {new GsiTrust(host.validator(), chain -> {})},
                null);
        peer = context.createSSLEngine();
        peer.setUseClientMode(false);
        peer.setNeedClientAuth(true);
        peer.setEnabledProtocols(new String[] {"TLSv1.2"});
        byte[] token = client.step(new byte[0]);
        while (!client.isEstablished()) {
            token = client.step(answer(token));
        }
    }

    /** What the peer says to this. */
    private byte[] answer(byte[] token) throws SSLException {
        ByteBuffer in = ByteBuffer.wrap(token);
        ByteBuffer out = ByteBuffer.allocate(256 * 1024);
        ByteBuffer plain = ByteBuffer.allocate(64 * 1024);
        while (true) {
            HandshakeStatus status = peer.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                for (Runnable task = peer.getDelegatedTask(); task != null; task = peer.getDelegatedTask()) {
                    task.run();
                }
            } else if (status == HandshakeStatus.NEED_WRAP) {
                peer.wrap(ByteBuffer.allocate(0), out);
            } else if (in.hasRemaining()) {
                peer.unwrap(in, plain);
            } else {
                return Arrays.copyOf(out.array(), out.position());
            }
        }
    }

    private byte[] said(byte[] content) throws SSLException {
        ByteBuffer out = ByteBuffer.allocate(64 * 1024);
        peer.wrap(ByteBuffer.wrap(content), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    @Test
    void contentGoesBothWays() throws Exception {
        assertThat(client.unwrap(said(HELLO))).isEqualTo(HELLO);
        ByteBuffer plain = ByteBuffer.allocate(64 * 1024);
        peer.unwrap(ByteBuffer.wrap(client.wrap(HELLO, 0, HELLO.length)), plain);
        assertThat(Arrays.copyOf(plain.array(), plain.position())).isEqualTo(HELLO);
    }

    /** The engine of this side would take and give nothing more before that handshake, and neither side would wait for the other. */
    @Test
    @Timeout(60)
    void aPeerThatWantsANewHandshakeIsRefused() throws Exception {
        peer.beginHandshake();
        byte[] wanted = answer(new byte[0]);
        assertThat(wanted).isNotEmpty();
        byte[] beginningOfNext = {23, 3, 3, 0, 100};
        byte[] both = Arrays.copyOf(wanted, wanted.length + beginningOfNext.length);
        System.arraycopy(beginningOfNext, 0, both, wanted.length, beginningOfNext.length);
        assertThatThrownBy(() -> client.unwrap(both))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("new handshake");
        assertThatThrownBy(() -> client.wrap(HELLO, 0, HELLO.length)).isInstanceOf(SSLException.class);
    }
}
