// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP relay before a server that resets a connection each time so many messages of clients have gone through it. */
final class ResettingProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final int every;
    private final AtomicInteger messages = new AtomicInteger();
    final AtomicInteger resets = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Listens where the server does, at a port of its own.
     *
     * @param every how many messages (reads of what a client sends) go through between two resets
     */
    ResettingProxy(String host, int port, int every) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getByName(host), port);
        this.every = every;
        this.listening = new ServerSocket(0, 64, server.getAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket behind = new Socket();
                open.add(client);
                open.add(behind);
                behind.connect(server);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> relay(client, behind, true));
                Thread.ofVirtual().start(() -> relay(behind, client, false));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private void relay(Socket from, Socket to, boolean isCounted) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16 * 1024];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (isCounted && messages.incrementAndGet() % every == 0) {
                    resets.incrementAndGet();
                    from.setSoLinger(true, 0); // closed so, the other side gets a reset
                    to.setSoLinger(true, 0);
                    return;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // one of the two has gone: so goes the other
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
