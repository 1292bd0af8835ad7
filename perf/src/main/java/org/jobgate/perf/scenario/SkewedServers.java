// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * File servers of one site that are not alike: they greet as GridFTP servers do, so that the gateway takes them for living ones, and a file
 * takes its time at each of them, so many files at once. No bytes are moved: what is measured is which server was chosen, and what came of it.
 */
final class SkewedServers implements Closeable {

    private static final byte[] GREETING =
            "220 measured, and no GridFTP server\r\n".getBytes(StandardCharsets.US_ASCII);

    /** One of them. */
    private static final class One {
        private final ServerSocket socket;
        private final int millis;
        private final Semaphore places;
        private final LongAdder files = new LongAdder();

        One(int millis, int places) throws IOException {
            this.socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
            this.millis = millis;
            this.places = new Semaphore(places, true);
        }

        private void greet() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    client.getOutputStream().write(GREETING);
                } catch (IOException e) {
                    if (!socket.isClosed()) {
                        Scenario.progress("a probe was not answered: " + e.getMessage());
                    }
                }
            }
        }
    }

    private final List<One> all = new ArrayList<>();

    /**
     * Made and greeting.
     *
     * @param millis that a file takes, at each server
     * @param places for so many files at once, at each server
     */
    SkewedServers(List<Integer> millis, int places) throws IOException {
        for (int each : millis) {
            One made = new One(each, places);
            all.add(made);
            Thread.ofVirtual().name("greeter").start(made::greet);
        }
    }

    /** What {@code staging.servers} says of them: each shows all files of the machine. */
    String configuration() {
        return String.join(
                ", ",
                all.stream()
                        .map(one -> "\"/=gsiftp://localhost:" + one.socket.getLocalPort() + "/\"")
                        .toList());
    }

    /** Moves a file through the server of this URL, as long as that takes. */
    void move(String url) throws IOException {
        One chosen = all.stream()
                .filter(one -> url.startsWith("gsiftp://localhost:" + one.socket.getLocalPort() + "/"))
                .findFirst()
                .orElseThrow(() -> new IOException("no server of ours is at " + url));
        try {
            chosen.places.acquire();
            try {
                Thread.sleep(chosen.millis);
                chosen.files.increment();
            } finally {
                chosen.places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a file was moved", e);
        }
    }

    /** How many files went through each since it was asked last. */
    List<Long> counts() {
        return all.stream().map(one -> one.files.sumThenReset()).toList();
    }

    @Override
    public void close() throws IOException {
        for (One one : all) {
            one.socket.close();
        }
    }
}
