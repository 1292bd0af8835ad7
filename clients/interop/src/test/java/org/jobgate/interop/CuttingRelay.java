// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands bytes on between a client and a server on this machine, and breaks every connection after so many bytes or so long, by chance
 * but the same for the same seed.
 */
final class CuttingRelay implements AutoCloseable {

    private static final int BUFFER = 8192;
    private static final int MIB = 1024 * 1024;

    /** Bytes of a server, with its certificates, before it answers anything. */
    private static final int GREETING = 3000;

    private static final int MOST_SLOWNESS = 64;

    private final ServerSocket listener;
    private final int serverPort;
    private final int upBytesMin;
    private final int bytesMax;
    private final int millisMax;
    private final Random random;
    private final AtomicInteger cuts = new AtomicInteger();

    /** How many times as long as by chance a connection may last: more after one that was cut before its greeting was over, as on a slow machine. */
    private final AtomicInteger slowness = new AtomicInteger(1);

    CuttingRelay(int serverPort, int bytesMax, int millisMax, long seed) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort, 0, bytesMax, millisMax, seed);
    }

    /**
     * One that listens on the server's own port at another address of the loopback interface, and breaks a connection only after one to four
     * MiB in either direction: a greeting and a message always come through.
     */
    static CuttingRelay on(byte[] address, int serverPort, long seed) throws IOException {
        ServerSocket listener = new ServerSocket(serverPort, 50, InetAddress.getByAddress(address));
        return new CuttingRelay(listener, serverPort, MIB, 3 * MIB, 120_000, seed);
    }

    /** @param upBytesMin that come through from the client, and as many from the server; 0 for no bound of what the client sends */
    private CuttingRelay(
            ServerSocket listener, int serverPort, int upBytesMin, int bytesMax, int millisMax, long seed) {
        this.upBytesMin = upBytesMin;
        this.listener = listener;
        this.serverPort = serverPort;
        this.bytesMax = bytesMax;
        this.millisMax = millisMax;
        this.random = new Random(seed);
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many connections were broken. */
    int cuts() {
        return cuts.get();
    }

    private void accept() {
        boolean isFirst = true;
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                int bytes;
                int millis;
                synchronized (random) {
                    bytes = Math.max(3000, upBytesMin) + random.nextInt(bytesMax);
                    // the first connection sends a request that clients do not repeat
                    millis = (isFirst ? 5000 : 200) + random.nextInt(millisMax);
                    isFirst = false;
                }
                Thread.ofVirtual().start(() -> relay(client, bytes, millis));
            } catch (IOException e) {
                // closed: the test is over
                return;
            }
        }
    }

    private void relay(Socket client, int bytes, int millis) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            Thread up = Thread.ofVirtual().start(() -> {
                copy(client, server, upBytesMin == 0 ? Integer.MAX_VALUE : bytes, new AtomicInteger());
                closeBoth(client, server);
            });
            AtomicInteger carried = new AtomicInteger();
            Thread down = Thread.ofVirtual().start(() -> copy(server, client, bytes, carried));
            boolean hasEnded = down.join(java.time.Duration.ofMillis((long) millis * slowness.get()));
            cuts.incrementAndGet();
            boolean isGreeted = carried.get() >= GREETING;
            slowness.updateAndGet(now -> isGreeted ? 1 : Math.min(2 * now, MOST_SLOWNESS));
            client.close();
            server.close();
            up.join();
            if (!hasEnded) {
                down.join();
            }
        } catch (IOException e) {
            // the server is away, as it may be here: so is the connection
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeBoth(Socket client, Socket server) {
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            // it is broken already
            return;
        }
    }

    /** Ends after so many bytes, or when one side closes. */
    private static void copy(Socket from, Socket to, int bytesMax, AtomicInteger carried) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            int left = bytesMax;
            while (left > 0) {
                int length = in.read(buffer, 0, Math.min(buffer.length, left));
                if (length < 0) {
                    return;
                }
                out.write(buffer, 0, length);
                left -= length;
                carried.addAndGet(length);
            }
        } catch (IOException e) {
            // one side is gone, or was cut off
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
