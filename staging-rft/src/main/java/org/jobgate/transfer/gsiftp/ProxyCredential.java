// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jobgate.transfer.protocol.TransferProxy;

/**
 * A delegated proxy as the GridFTP client takes it. A key store is made of it only where one is asked for: most files go over sessions
 * that are open already, and sealing a key into a store costs more than finding the session.
 */
final class ProxyCredential implements X509Credential {

    private final TransferProxy proxy;

    ProxyCredential(TransferProxy proxy) {
        this.proxy = proxy;
    }

    @Override
    public PrivateKey getKey() {
        return proxy.key();
    }

    @Override
    public X509Certificate getCertificate() {
        return proxy.chain().getFirst();
    }

    @Override
    public X509Certificate[] getCertificateChain() {
        return proxy.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public String getSubjectName() {
        return getCertificate().getSubjectX500Principal().getName();
    }

    @Override
    public KeyStore getKeyStore() {
        return stored().getKeyStore();
    }

    @Override
    public X509ExtendedKeyManager getKeyManager() {
        return stored().getKeyManager();
    }

    @Override
    public char[] getKeyPassword() {
        return stored().getKeyPassword();
    }

    @Override
    public String getKeyAlias() {
        return stored().getKeyAlias();
    }

    private KeyAndCertCredential stored() {
        try {
            return new KeyAndCertCredential(getKey(), getCertificateChain());
        } catch (KeyStoreException e) {
            throw new IllegalStateException(
                    "the delegated credential of " + getSubjectName() + " fits into no key store", e);
        }
    }
}
