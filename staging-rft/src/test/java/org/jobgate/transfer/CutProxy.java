// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands before a server at 127.0.0.1, and resets every connection once so many bytes went through it, both ways together. A reset throws
 * away what the kernel has not yet sent of them, which may be megabytes; here it keeps a few ten thousand bytes only, so that nearly all
 * of what went through arrives, however slow the reader is.
 */
public final class CutProxy implements AutoCloseable {

    private static final int MOST_UNSENT = 32_768;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int to;
    private final long most;

    public CutProxy(int to, long most) throws IOException {
        this.to = to;
        this.most = most;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                client.setSendBufferSize(MOST_UNSENT);
                server.setSendBufferSize(MOST_UNSENT);
                AtomicLong left = new AtomicLong(most);
                Thread.ofVirtual().start(() -> pour(client, server, left));
                Thread.ofVirtual().start(() -> pour(server, client, left));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void pour(Socket from, Socket into, AtomicLong left) {
        try (from;
                into) {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (left.addAndGet(-count) < 0) {
                    from.setSoLinger(true, 0);
                    into.setSoLinger(true, 0);
                    return;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // the other direction was cut
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
