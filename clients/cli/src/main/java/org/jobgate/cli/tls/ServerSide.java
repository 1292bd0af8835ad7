// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jobgate.cli.text.Sentence;

/** The server's side of TLS, for the little that clients serve: callbacks. */
public final class ServerSide {
    private static final char[] NO_PASSWORD = new char[0];
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private ServerSide() {}

    /**
     * Listens, and shows a user's credential to each client that connects. It does not ask clients for certificates.
     *
     * @param port 0 for any
     */
    public static SSLServerSocket listen(Credential identity, InetAddress address, int port, int backlog)
            throws IOException {
        try {
            SSLServerSocket listener = (SSLServerSocket)
                    context(identity).getServerSocketFactory().createServerSocket(port, backlog, address);
            listener.setEnabledProtocols(PROTOCOLS);
            return listener;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "TLS cannot be served with the credential in " + identity.source() + ": "
                            + Sentence.of(e.getMessage()),
                    e);
        }
    }

    private static SSLContext context(Credential identity) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, NO_PASSWORD);
        keys.setKeyEntry("own", identity.key(), NO_PASSWORD, identity.chain().toArray(Certificate[]::new));
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        keyManagers.init(keys, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), null, null);
        return context;
    }

    /** The address of this host from which packets to that host leave. Sends nothing. */
    public static InetAddress addressTowards(String host, int port) throws IOException {
        try (DatagramSocket probe = new DatagramSocket()) {
            InetSocketAddress target = new InetSocketAddress(host, port);
            if (target.isUnresolved()) {
                throw new IOException("Host " + host + " is not known.");
            }
            probe.connect(target);
            return probe.getLocalAddress();
        }
    }
}
