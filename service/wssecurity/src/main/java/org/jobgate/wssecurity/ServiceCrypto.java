// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.regex.Pattern;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.jspecify.annotations.Nullable;

/** WSS4J's keys: the service's own to sign and to decrypt with; whom else to trust says the site's trust directory alone. */
final class ServiceCrypto extends Merlin {

    static final String OWN = "service";

    /** The password of a key that exists in memory only. */
    static final String PASSWORD = "in-memory";

    private final ChainTrust trust;

    /** A chain that can be read and is not trusted. */
    static final class UntrustedException extends CertificateException {

        private static final long serialVersionUID = 1L;

        UntrustedException(CertificateException cause) {
            super(cause.getMessage(), cause);
        }
    }

    ServiceCrypto(PrivateKey key, X509Certificate[] chain, ChainTrust trust) {
        super(false, "");
        this.trust = trust;
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry(OWN, key, PASSWORD.toCharArray(), chain);
            setKeyStore(keys);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the service's key cannot be kept", e);
        }
    }

    @Override
    public void verifyTrust(
            X509Certificate[] chain,
            boolean enableRevocation,
            @Nullable Collection<Pattern> subjects,
            @Nullable Collection<Pattern> issuers)
            throws WSSecurityException {
        try {
            trust.check(chain);
        } catch (CertificateException e) {
            throw new WSSecurityException(
                    WSSecurityException.ErrorCode.FAILED_AUTHENTICATION, new UntrustedException(e));
        }
    }

    /** A bare key names no subject. */
    @Override
    public void verifyTrust(PublicKey key) throws WSSecurityException {
        throw new WSSecurityException(WSSecurityException.ErrorCode.FAILED_AUTHENTICATION);
    }
}
