// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.ServiceKey;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.xml.XmlElement;

/** Takes what requests delegate into the vault: the way of both services. */
public final class Intake {

    private final Vault vault;
    private final ServiceKey serviceKey;
    private final ChainAcceptance chains;
    private final TokenAcceptance tokens;

    public Intake(Vault vault, ServiceKey serviceKey, ChainAcceptance chains, TokenAcceptance tokens) {
        this.vault = requireNonNull(vault, "vault is null");
        this.serviceKey = requireNonNull(serviceKey, "serviceKey is null");
        this.chains = requireNonNull(chains, "chains is null");
        this.tokens = requireNonNull(tokens, "tokens is null");
    }

    /**
     * Keeps what the request delegates under this key of the caller's.
     *
     * @throws org.jobgate.job.FaultException of code {@code CREDENTIAL_UNUSABLE} with what is wrong with it, or why it cannot be kept
     */
    DelegatedCredential take(String caller, String key, XmlElement request) {
        return switch (SecurityToken.read(request)) {
            case SecurityToken.Content.Chain chain ->
                vault.put(
                        key,
                        chains.check(
                                caller,
                                chain.certificates(),
                                serviceKey.certificate().getPublicKey()),
                        serviceKey.privateKey());
            case SecurityToken.Content.WebToken token -> vault.put(key, tokens.check(caller, token.token()));
        };
    }
}
