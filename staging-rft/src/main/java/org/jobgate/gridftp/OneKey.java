// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.X509Credential;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows one credential, whatever authorities the peer names: the JDK's own choice by issuer knows no proxies. A key that does not fit
 * the cipher suite is not offered for it.
 */
final class OneKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "gsi";

    private final X509Credential credential;

    OneKey(X509Credential credential) {
        this.credential = requireNonNull(credential, "credential is null");
    }

    private @Nullable String alias(String... types) {
        String ours = credential.getKey().getAlgorithm();
        for (String type : types) {
            if (type.equals(ours) || type.startsWith(ours + "_") || type.endsWith("_" + ours)) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return alias(type) == null ? null : new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return getClientAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(type);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(type);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return credential.getCertificateChain();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return credential.getKey();
    }
}
