// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Asks canl about chains, proxies included, and then the caller's own check of the name. An extended trust manager: the JDK wraps a
 * plain one in checks that know no proxies.
 */
final class GsiTrust extends X509ExtendedTrustManager {

    /** The longest chain that is looked at. */
    private static final int MAX_CHAIN = 16;

    /** Whether the peer, whose chain is good, is the right one. */
    interface PeerCheck {
        void check(X509Certificate[] chain) throws CertificateException;
    }

    private final X509CertChainValidator validator;
    private final PeerCheck peer;

    GsiTrust(X509CertChainValidator validator, PeerCheck peer) {
        this.validator = requireNonNull(validator, "validator is null");
        this.peer = requireNonNull(peer, "peer is null");
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || chain.length > MAX_CHAIN) {
            throw new CertificateException(
                    "the chain has " + chain.length + " certificates; 1 to " + MAX_CHAIN + " are looked at");
        }
        ValidationResult result = validator.validate(chain);
        if (!result.isValid()) {
            throw new CertificateException("the chain of " + chain[0].getSubjectX500Principal() + " is not trusted: "
                    + result.getErrors().stream()
                            .map(ValidationError::getMessage)
                            .distinct()
                            .limit(3)
                            .collect(Collectors.joining("; ")));
        }
        peer.check(Arrays.copyOf(chain, chain.length));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
