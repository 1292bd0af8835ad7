// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * One keep-alive HTTPS connection that never waits once it is made, so that one thread can serve many: it sends bytes that were made ahead, and reads of an
 * answer its status and where it ends. Where client and server share a machine, {@link HttpsConnection} takes as much of it as the server does. Answers
 * must say their length. Not for several threads.
 */
public final class QuickConnection implements Closeable {

    private final SSLContext context;
    private final String host;
    private final InetSocketAddress address;
    private final Duration timeout;
    private final InetAddress from;
    private final QuickReply reply = new QuickReply();
    private @Nullable SocketChannel channel;
    private @Nullable SSLEngine engine;
    private ByteBuffer toSend = ByteBuffer.allocate(0);
    private ByteBuffer came = ByteBuffer.allocate(0);
    private ByteBuffer plain = ByteBuffer.allocate(0);

    /**
     * A connection not yet made.
     *
     * @param host the name that the server's certificate must bear
     * @param address where to connect; its name is not looked up again
     * @param timeout for the connect and the handshake, and for the server to take a request
     * @param from the address of the machine from which it connects
     */
    public QuickConnection(
            SSLContext context, String host, InetSocketAddress address, Duration timeout, InetAddress from) {
        this.context = requireNonNull(context, "context is null");
        this.host = requireNonNull(host, "host is null");
        this.address = requireNonNull(address, "address is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.from = requireNonNull(from, "from is null");
    }

    /** What a request names as its host. */
    public String authority() {
        return host + ":" + address.getPort();
    }

    /** Connects and shakes hands; an older connection is closed before. */
    public void connect() throws IOException {
        close();
        SocketChannel made = SocketChannel.open();
        channel = made;
        boolean isWhole = false;
        try {
            made.setOption(StandardSocketOptions.TCP_NODELAY, true);
            made.bind(new InetSocketAddress(from, 0));
            made.socket().connect(address, Math.toIntExact(timeout.toMillis()));
            made.configureBlocking(false);
            shakeHands(made);
            isWhole = true;
        } finally {
            if (!isWhole) {
                close();
            }
        }
    }

    private void shakeHands(SocketChannel with) throws IOException {
        SSLEngine made = context.createSSLEngine(host, address.getPort());
        made.setUseClientMode(true);
        SSLParameters parameters = made.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        made.setSSLParameters(parameters);
        int packet = made.getSession().getPacketBufferSize();
        toSend = ByteBuffer.allocateDirect(packet);
        came = ByteBuffer.allocateDirect(packet);
        plain = ByteBuffer.allocate(made.getSession().getApplicationBufferSize());
        engine = made;
        made.beginHandshake();
        while (true) {
            switch (made.getHandshakeStatus()) {
                case NEED_TASK -> made.getDelegatedTask().run();
                case NEED_WRAP -> wrap(made, with, ByteBuffer.allocate(0));
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap(made) == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                        await(with, SelectionKey.OP_READ);
                        fill(with);
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    private SSLEngineResult.Status unwrap(SSLEngine by) throws IOException {
        came.flip();
        SSLEngineResult result = by.unwrap(came, plain);
        came.compact();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new EOFException("the server has closed the connection");
        }
        return result.getStatus();
    }

    private void wrap(SSLEngine by, SocketChannel to, ByteBuffer content) throws IOException {
        do {
            toSend.clear();
            by.wrap(content, toSend);
            toSend.flip();
            while (to.write(toSend) >= 0 && toSend.hasRemaining()) {
                await(to, SelectionKey.OP_WRITE);
            }
        } while (content.hasRemaining());
    }

    private void fill(SocketChannel of) throws IOException {
        if (of.read(came) < 0) {
            throw new EOFException("the connection ended within an answer");
        }
    }

    /** Only while a connection is made, and where the server does not take what is sent. */
    private void await(SelectableChannel of, int operation) throws IOException {
        try (Selector selector = Selector.open()) {
            of.register(selector, operation);
            if (selector.select(timeout.toMillis()) == 0) {
                throw new SocketTimeoutException("the server does nothing for " + timeout.toSeconds() + " s");
            }
        }
    }

    /** The channel, to be told when something has come; only while connected. */
    public SelectableChannel channel() {
        return requireNonNull(channel, "not connected");
    }

    /** Whether {@link #connect} has succeeded, and nothing failed since. */
    public boolean isConnected() {
        return channel != null;
    }

    /** Sends a request; the answer to the one before must have been there. */
    public void send(byte[] request) throws IOException {
        reply.begin();
        wrap(
                requireNonNull(engine, "not connected"),
                requireNonNull(channel, "not connected"),
                ByteBuffer.wrap(request));
    }

    /**
     * Takes what has come.
     *
     * @return the status of the answer when that is whole; 0 before
     */
    public int receive() throws IOException {
        SSLEngine by = requireNonNull(engine, "not connected");
        fill(requireNonNull(channel, "not connected"));
        while (true) {
            int before = came.position();
            SSLEngineResult.Status status = unwrap(by);
            plain.flip();
            reply.take(plain.array(), plain.remaining());
            plain.clear();
            if (status != SSLEngineResult.Status.OK || came.position() == 0 || came.position() == before) {
                break;
            }
        }
        return reply.isWhole() ? reply.status() : 0;
    }

    /** Begins a handshake anew by the next {@link #connect}. */
    @Override
    public void close() throws IOException {
        SocketChannel open = channel;
        channel = null;
        engine = null;
        if (open != null) {
            open.close();
        }
    }
}
