// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.time.Duration;
import java.util.Map;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.ServerName;
import org.jspecify.annotations.Nullable;

/** Finds the MyProxy server that somebody means. */
final class MyProxyAddress {
    private static final int PORT_MAX = 65_535;

    private MyProxyAddress() {}

    /**
     * From the command line, else from the variables that all MyProxy clients read.
     *
     * @param server {@code HOST} or {@code HOST:PORT}; null for {@code MYPROXY_SERVER}
     * @param subject whom to expect; null for {@code MYPROXY_SERVER_DN}, else the host of that name
     * @throws CredentialException none is named, or its port is none
     */
    static MyProxyServer of(
            @Nullable String server, @Nullable String subject, Map<String, String> environment, Duration timeout)
            throws CredentialException {
        String named = server != null ? server : environment.getOrDefault("MYPROXY_SERVER", "");
        if (named.isEmpty()) {
            throw new CredentialException("No MyProxy server is named. Use --server HOST, or set MYPROXY_SERVER.");
        }
        int colon = named.lastIndexOf(':');
        boolean hasPort = (colon > 0 && named.indexOf(':') == colon) || named.indexOf("]:") > 0;
        String host = hasPort ? named.substring(0, colon) : named;
        String port = hasPort
                ? named.substring(colon + 1)
                : environment.getOrDefault("MYPROXY_SERVER_PORT", Integer.toString(MyProxyServer.PORT));
        String whom = subject != null ? subject : environment.getOrDefault("MYPROXY_SERVER_DN", "");
        return new MyProxyServer(
                host, port(port), whom.isEmpty() ? new ServerName.Host() : new ServerName.Subject(whom), timeout);
    }

    private static int port(String text) throws CredentialException {
        if (text.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= PORT_MAX) {
                return port;
            }
        }
        throw new CredentialException("Port " + text + " of the MyProxy server is not a number from 1 to 65535.");
    }
}
