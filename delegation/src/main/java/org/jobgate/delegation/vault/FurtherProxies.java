// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Proxies (RFC 3820) that are made of delegated credentials: for jobs, and for services to which a credential is delegated further. */
public final class FurtherProxies {

    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private FurtherProxies() {}

    /**
     * Signs a proxy over this key, which ends when the credential does and is limited where that is.
     *
     * @return the proxy and the credential's own chain
     */
    @SuppressWarnings("JavaUtilDate") // what the library takes
    public static X509Certificate[] over(DelegatedProxy credential, PublicKey key, Clock clock) {
        try {
            ProxyCertificateOptions options =
                    new ProxyCertificateOptions(credential.chain().toArray(X509Certificate[]::new));
            options.setPublicKey(key);
            options.setLimited(credential.limited());
            options.setValidityBounds(Date.from(clock.instant().minus(CLOCK_SKEW)), Date.from(credential.terminates()));
            return ProxyGenerator.generate(options, credential.privateKey()).getCertificateChain();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no proxy can be made of " + credential, e);
        }
    }

    /**
     * Answers a certificate request of another service.
     *
     * @param request (PKCS#10) in PEM; what it says but its key means nothing
     * @return the proxy and the credential's own chain, in PEM
     * @throws IOException if the request cannot be read, or holds no RSA key of {@link KeyPool#BITS} bits or more
     */
    public static String answer(DelegatedProxy credential, String request, Clock clock) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : over(credential, key(request), clock)) {
                out.writeObject(certificate);
            }
        }
        return text.toString();
    }

    private static PublicKey key(String request) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            if (parser.readObject() instanceof PKCS10CertificationRequest asked
                    && new JcaPKCS10CertificationRequest(asked).getPublicKey() instanceof RSAPublicKey key
                    && key.getModulus().bitLength() >= KeyPool.BITS) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate request holds no key that can be read", e);
        }
        throw new IOException("there is no certificate request with an RSA key of " + KeyPool.BITS + " bits or more");
    }
}
