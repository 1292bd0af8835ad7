// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks whether a file server answers. */
@FunctionalInterface
public interface ServerProbe {

    /**
     * Asks it once.
     *
     * @throws IOException saying what is wrong with it
     */
    void look(URI server) throws IOException;

    /** A probe of servers that greet as FTP does: a connection, and the reply 220 (RFC 959 section 5.4). */
    static ServerProbe greeting(Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        return server -> {
            int port =
                    server.getPort() > 0 ? server.getPort() : server.getScheme().equalsIgnoreCase("gsiftp") ? 2811 : 21;
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(server.getHost(), port), millis);
                socket.setSoTimeout(millis);
                String said = new String(socket.getInputStream().readNBytes(3), StandardCharsets.US_ASCII);
                if (!said.equals("220")) {
                    throw new IOException("it did not greet, but said '" + said + "'");
                }
            }
        };
    }
}
