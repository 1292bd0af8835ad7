// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.helpers.ssl.HostnameToCertificateChecker;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a server whose chain is good by the trust directory and whose certificate names the host that was asked for. An extended
 * trust manager gets no checks added by the JDK, so the name is compared here; where it is not known, nobody is trusted.
 */
final class NamedServerTrust extends X509ExtendedTrustManager {

    private final ChainValidator validator;

    NamedServerTrust(ChainValidator validator) {
        this.validator = requireNonNull(validator, "validator is null");
    }

    private void check(X509Certificate[] chain, @Nullable String host) throws CertificateException {
        validator.validate(chain);
        if (host == null || !isNamed(chain[0], host)) {
            throw new CertificateException("the server's certificate, " + chain[0].getSubjectX500Principal()
                    + ", does not name the host " + host);
        }
    }

    private static boolean isNamed(X509Certificate certificate, String host) throws CertificateException {
        try {
            return new HostnameToCertificateChecker().checkMatching(host, certificate);
        } catch (UnknownHostException e) {
            throw new CertificateException("the host " + host + " cannot be compared with the certificate's names", e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
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
        check(chain, null);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
