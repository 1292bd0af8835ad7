// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its key.
 *
 * @param chain the certificate first, then what it needs to be believed (for a proxy: its issuers; else nothing)
 */
public record Issued(List<X509Certificate> chain, PrivateKey key) {
    public Issued {
        chain = List.copyOf(chain);
        requireNonNull(key, "key is null");
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("the chain is empty");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }
}
