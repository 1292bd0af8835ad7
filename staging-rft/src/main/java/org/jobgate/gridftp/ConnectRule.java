// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.net.InetAddress;

/**
 * Which addresses may be connected to. It is asked about every one, of control and of data connections, right before the connection: a
 * server names what it likes.
 */
@FunctionalInterface
public interface ConnectRule {

    /** Every address. */
    ConnectRule ANY = (server, address, port) -> {};

    /**
     * Lets a connection be made.
     *
     * @param server whose control connection it is, or belongs to
     * @throws IOException if it must not be made; the message says why
     */
    void check(ServerAddress server, InetAddress address, int port) throws IOException;
}
