// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports for servers that are started later, or that are killed and started again: from below the range in which the system gives ports to whoever
 * asks for any one (net.ipv4.ip_local_port_range, from 32768 on), so that no connection of another program has one of them meanwhile.
 *
 * <p>Each process of a build has a share of them: a port stays free until its server listens, and another process could be given it meanwhile.
 */
final class Ports {

    private static final int COUNT = 2_000;
    private static final int SHARES = 5;

    /** From 1 on where Failsafe has started this process; 0 where somebody runs a test by hand. */
    private static final int FIRST = first(Integer.getInteger("jobgate.fork", 0));

    private static final int ATTEMPTS = 1_000;

    private static final Random RANDOM = new Random();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /** Where the share of that process begins. */
    private static int first(int fork) {
        return 20_000 + Math.floorMod(fork, SHARES) * COUNT;
    }

    /** One that nobody has now, and that was not given before in this process. */
    static synchronized int free() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = FIRST + RANDOM.nextInt(COUNT);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IOException(
                "no free port between " + FIRST + " and " + (FIRST + COUNT) + " in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
