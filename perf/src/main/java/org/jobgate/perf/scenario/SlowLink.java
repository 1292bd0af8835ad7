// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A network of a given speed before a server of this machine: so many bits a second in each direction, for all its connections together. Each
 * piece has its time slot behind the one before it, so that what has gone through never depends on how long a thread slept.
 */
final class SlowLink implements AutoCloseable {

    private static final int PIECE = 4096;

    /** A link that was idle does not make up for it with more than this. */
    private static final long BURST_NANOS = 5_000_000;

    private final ServerSocket listener;
    private final int serverPort;
    private final Direction up;
    private final Direction down;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private SlowLink(ServerSocket listener, int serverPort, double megabitsPerSecond) {
        this.listener = listener;
        this.serverPort = serverPort;
        this.up = new Direction(megabitsPerSecond);
        this.down = new Direction(megabitsPerSecond);
    }

    /** Listens on a free port of the loopback interface from now on. */
    static SlowLink before(int serverPort, double megabitsPerSecond) throws IOException {
        SlowLink link =
                new SlowLink(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), serverPort, megabitsPerSecond);
        Thread.ofVirtual().name("slow-link").start(link::accept);
        return link;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Bytes that have gone to the server. */
    long sent() {
        return up.passed.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = keep(listener.accept());
                Socket far = keep(connected(near));
                AtomicInteger ended = new AtomicInteger();
                Thread.ofVirtual().start(() -> pass(near, far, up, ended));
                Thread.ofVirtual().start(() -> pass(far, near, down, ended));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    Scenario.progress("a connection through the slow network failed: " + e);
                }
            }
        }
    }

    private Socket connected(Socket near) throws IOException {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), serverPort);
        } catch (IOException e) {
            near.close();
            throw e;
        }
    }

    /** A network holds nothing back: the last bytes of a request do not wait here for the acknowledgement of those before. */
    private Socket keep(Socket socket) throws IOException {
        open.add(socket);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** The end of one direction is passed on too; the other one goes on until its own. */
    private void pass(Socket from, Socket to, Direction direction, AtomicInteger ended) {
        byte[] piece = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
                direction.pass(got);
                out.write(piece, 0, got);
            }
            to.shutdownOutput();
            if (ended.incrementAndGet() == 2) {
                forget(from, to);
            }
        } catch (IOException e) {
            if (!listener.isClosed() && !from.isClosed() && !to.isClosed()) {
                Scenario.progress("a connection through the slow network broke off: " + e);
            }
            forget(from, to);
        }
    }

    private void forget(Socket... sockets) {
        for (Socket socket : sockets) {
            open.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                Scenario.progress("a connection through the slow network was not closed: " + e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private static final class Direction {
        private final double nanosPerByte;
        private final AtomicLong passed = new AtomicLong();

        /** When the last piece is through; guarded by this. */
        private long end = System.nanoTime();

        Direction(double megabitsPerSecond) {
            this.nanosPerByte = 8_000 / megabitsPerSecond;
        }

        void pass(int bytes) {
            long slot;
            synchronized (this) {
                end = Math.max(end, System.nanoTime() - BURST_NANOS) + (long) (bytes * nanosPerByte);
                slot = end;
            }
            for (long wait = slot - System.nanoTime(); wait > 0; wait = slot - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            passed.addAndGet(bytes);
        }
    }
}
