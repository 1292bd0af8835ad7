// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Stands before a server like a network of a given speed: so many bytes a second in each direction, for all connections together. */
final class SlowRelay implements AutoCloseable {

    private static final int BUFFER = 4096;

    private final ServerSocket listener;
    private final int serverPort;
    private final Direction up;
    private final Direction down;
    private final Thread acceptor;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();

    /** Listens on the server's own port at another address of the loopback interface. */
    SlowRelay(byte[] address, int serverPort, double megabitsPerSecond) throws IOException {
        this(new ServerSocket(serverPort, 50, InetAddress.getByAddress(address)), serverPort, megabitsPerSecond);
    }

    /** Listens on a free port of the loopback interface. */
    static SlowRelay before(int serverPort, double megabitsPerSecond) throws IOException {
        return new SlowRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort, megabitsPerSecond);
    }

    private SlowRelay(ServerSocket listener, int serverPort, double megabitsPerSecond) {
        this.listener = listener;
        this.serverPort = serverPort;
        this.up = new Direction(megabitsPerSecond * 1e6 / 8);
        this.down = new Direction(megabitsPerSecond * 1e6 / 8);
        this.acceptor = Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many bytes have gone to the server so far, over all connections. */
    long sent() {
        return up.passed.get();
    }

    /** How many bytes have come from the server so far, over all connections. */
    long received() {
        return down.passed.get();
    }

    /** What is due when, on one way. */
    private static final class Direction {

        private final double nanosPerByte;
        private final AtomicLong passed = new AtomicLong();
        private long free = System.nanoTime();

        Direction(double bytesPerSecond) {
            this.nanosPerByte = 1e9 / bytesPerSecond;
        }

        void pass(int bytes) {
            passed.addAndGet(bytes);
            long until;
            synchronized (this) {
                free = Math.max(free, System.nanoTime()) + (long) (bytes * nanosPerByte);
                until = free;
            }
            for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                // closed: the test is over
                return;
            }
        }
    }

    /** A server that is not there just now is no reason to take no further connections. */
    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        } catch (IOException e) {
            client.close();
            return;
        }
        open.add(client);
        open.add(server);
        Thread.ofVirtual().start(() -> copy(client, server, up));
        Thread.ofVirtual().start(() -> copy(server, client, down));
    }

    private static void copy(Socket from, Socket to, Direction way) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                way.pass(got);
                out.write(buffer, 0, got);
            }
        } catch (IOException e) {
            // one side is gone: so is the connection
            return;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        listener.close();
        acceptor.join();
        for (Socket socket : open) { // the next one may want the port at once
            socket.close();
        }
    }
}
