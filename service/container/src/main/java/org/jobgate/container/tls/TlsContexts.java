// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The two sides of TLS: what callers meet, and what notifications are sent with. */
public final class TlsContexts {

    /** The protocol versions that are spoken; older ones are broken. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /**
     * The cipher suites that are spoken: authenticated encryption and fresh keys for each session, nothing else. Every OpenSSL since 1.0.1
     * and every Java since 8 has some of them.
     */
    public static final List<String> SUITES = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /**
     * How many sessions can be resumed. They are kept here, with the client's certificates (some 15 KB of the heap each), and not in tickets
     * that each client keeps ({@code jdk.tls.server.enableSessionTicketExtension} in {@code jvm.options}): to pack and encrypt a ticket is an
     * eighth of a handshake. The oldest goes; its client shows its certificates again.
     */
    private static final int MAX_SESSIONS = 2_000;

    private final HostCredential credential;
    private final TrustManager trust;
    private final TrustManager namedServer;

    public TlsContexts(HostCredential credential, ChainValidator validator, RefusalLog refusals) {
        this.credential = requireNonNull(credential, "credential is null");
        this.trust = new GridTrustManager(validator, refusals);
        this.namedServer = new NamedServerTrust(validator);
    }

    /** For the connector: our certificate, and any client whose chain is good. */
    public SSLContext forServer(Duration sessionLifetime) {
        SSLContext context = create();
        context.getServerSessionContext().setSessionCacheSize(MAX_SESSIONS);
        context.getServerSessionContext().setSessionTimeout(Math.toIntExact(sessionLifetime.toSeconds()));
        return context;
    }

    /** For notifications: we show our certificate; the peer's chain must be good, its name is not looked at. */
    public SSLContext forCallbacks() {
        return create();
    }

    /** For another gateway, as this one: its chain must be good and name the host that was asked for. */
    public SSLContext forGateway() {
        return create(credential.chain(), credential.key(), namedServer);
    }

    /** For a server that is asked nothing secret: its chain must be good and name the host that was asked for; we show nothing. */
    public SSLContext forReading() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {namedServer}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** For another gateway, with the credential of somebody else. */
    public SSLContext forGateway(List<X509Certificate> chain, PrivateKey key) {
        return create(chain.toArray(X509Certificate[]::new), key, namedServer);
    }

    /** For a server of files, with the credential of a file's owner; without any where the chain is empty. Its name is compared. */
    public SSLContext forFiles(List<X509Certificate> chain, @Nullable PrivateKey key) {
        return key == null ? createWithoutKey(namedServer) : forGateway(chain, key);
    }

    private static SSLContext createWithoutKey(TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private SSLContext create() {
        return create(credential.chain(), credential.key(), trust);
    }

    private static SSLContext create(X509Certificate[] chain, PrivateKey key, TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(chain, key), new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(X509Certificate[] chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        char[] password = {};
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("host", key, password, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory.getKeyManagers();
    }
}
