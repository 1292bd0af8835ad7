// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a peer whose chain is good by the trust directory, whatever its host name is.
 *
 * <p>As server: a client is known by its chain. As client, for notifications: the consumer's address came with an authenticated
 * request, and consumers present a user's proxy as often as a host certificate (facts/gt4-wire.md section 2), so there is no name to
 * compare. It must be an extended trust manager: the JDK wraps a plain one in checks of its own that know no proxies.
 */
final class GridTrustManager extends X509ExtendedTrustManager {

    private final ChainValidator validator;
    private final RefusalLog refusals;

    GridTrustManager(ChainValidator validator, RefusalLog refusals) {
        this.validator = requireNonNull(validator, "validator is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
    }

    private void check(X509Certificate[] chain, @Nullable String host) throws CertificateException {
        try {
            validator.validate(chain);
        } catch (CertificateException e) {
            String subject = chain.length == 0
                    ? "nobody"
                    : chain[0].getSubjectX500Principal().toString();
            refusals.refused(
                    "certificate", subject + (host == null ? "" : " from " + host), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, null);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        check(chain, hostOf(socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain, engine == null ? null : engine.getPeerHost());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, null);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        check(chain, hostOf(socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain, engine == null ? null : engine.getPeerHost());
    }

    private static @Nullable String hostOf(@Nullable Socket socket) {
        return socket instanceof SSLSocket ssl ? ssl.getInetAddress().getHostAddress() : null;
    }

    /**
     * No authorities: the list would be sent in every handshake, hundreds of names at a grid site, and clients pick their certificate
     * without it (facts/gt4-wire.md section 1).
     */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
