// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

/**
 * Where a GridFTP server listens.
 *
 * @param host its name as its certificate has it, or an address; IPv6 without brackets
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) {

    /** The port registered for {@code gsiftp}. */
    public static final int DEFAULT_PORT = 2811;

    /** Checks both; what stands in a host name cannot be anything that ends a line. */
    public ServerAddress {
        if (!requireNonNull(host, "host is null").matches("[A-Za-z0-9._:%-]{1,255}")) {
            throw new IllegalArgumentException("not the name or address of a host: '" + CommandText.shown(host) + "'");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the port " + port + " is not between 1 and 65535");
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
