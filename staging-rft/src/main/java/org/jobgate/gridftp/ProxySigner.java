// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyType;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Collectors;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/**
 * Signs a proxy for the key of a server that asks for delegation: a PKCS#10 request in DER comes, the new certificate goes back, DER.
 * The certificate alone: the server has the rest of the chain from the handshake, and takes what follows for the next token. RFC 3820.
 */
final class ProxySigner {

    private static final int USUAL_BITS = 2048;
    private static final Duration LIFETIME = Duration.ofHours(12);

    private ProxySigner() {}

    /** The answer to a request. The proxy ends with the credential, after 12 hours at the latest. */
    static byte[] answer(byte[] request, GsiSecurity security, Instant now) throws IOException {
        X509Credential from = security.credential();
        try {
            ProxyRequestOptions options =
                    new ProxyRequestOptions(from.getCertificateChain(), new PKCS10CertificationRequest(request));
            options.setType(ProxyType.RFC3820);
            options.setLimited(security.delegation() == Delegation.LIMITED || isLimited(from));
            Instant end = now.plus(LIFETIME);
            Instant last = security.expires();
            options.setValidityBounds(
                    Date.from(now.minus(Duration.ofMinutes(5))), Date.from(last.isBefore(end) ? last : end));
            X509Certificate[] chain = ProxyGenerator.generate(options, from.getKey());
            requireGood(chain, security);
            return chain[0].getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException("the proxy for the server cannot be signed: " + e.getMessage(), e);
        }
    }

    /**
     * The user's rights must not hang on a key that a server has made too short: who decides about chains decides about the new one. Keys of
     * the usual strength are not asked about, for that takes longer than all else here.
     */
    private static void requireGood(X509Certificate[] chain, GsiSecurity security) throws IOException {
        if (chain[0].getPublicKey() instanceof RSAPublicKey key
                && key.getModulus().bitLength() >= USUAL_BITS) {
            return;
        }
        ValidationResult result = security.validator().validate(chain);
        if (!result.isValid()) {
            throw new IOException("the server asks for a proxy that would not be good: "
                    + result.getErrors().stream()
                            .map(ValidationError::getMessage)
                            .limit(3)
                            .collect(Collectors.joining("; ")));
        }
    }

    private static boolean isLimited(X509Credential credential) throws IOException, GeneralSecurityException {
        X509Certificate[] chain = credential.getCertificateChain();
        return ProxyUtils.isProxy(chain) && new ProxyChainInfo(chain).isLimited();
    }
}
