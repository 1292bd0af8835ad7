// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowLinkTest {

    private static final int BYTES = 100_000;

    private static void echo(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private static byte[] there(SlowLink link, byte[] bytes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            byte[] back = socket.getInputStream().readNBytes(bytes.length);
            writer.join();
            return back;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two connections share it: what each brings is whole, and both together are not faster than the network. */
    @Test
    void allConnectionsTogetherAreAsFastAsTheNetwork() throws Exception {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 31);
        }
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                SlowLink link = SlowLink.before(server.getLocalPort(), 4)) {
            Thread.ofVirtual().start(() -> echo(server));
            long begin = System.nanoTime();
            List<byte[]> back = new ArrayList<>();
            Thread other = Thread.ofVirtual().start(() -> {
                byte[] got = there(link, bytes);
                synchronized (back) {
                    back.add(got);
                }
            });
            byte[] got = there(link, bytes);
            other.join();
            double seconds = (System.nanoTime() - begin) / 1e9;
            assertThat(got).isEqualTo(bytes);
            assertThat(back).singleElement().isEqualTo(bytes);
            assertThat(link.sent()).isEqualTo(2 * BYTES);
            assertThat(seconds).as("1.6 Mbit at 4 Mbit/s").isGreaterThan(0.38);
        }
    }
}
