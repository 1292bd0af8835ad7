// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.Text;

/**
 * A proxy that somebody delegated to this service.
 *
 * @param owner the subject who delegated it, and who alone may use, renew and destroy it
 * @param key the name that the owner gave it; unique among the credentials of one owner
 * @param chain its certificate first, then what it was signed with, to the owner's own certificate
 * @param privateKey belongs to the first certificate; never leaves the service as it is
 * @param limited whether it may move files but not start jobs
 * @param expires when the first certificate of the chain expires
 * @param terminates when it is forgotten: at the expiry, or before if its owner says so
 */
public record DelegatedProxy(
        String owner,
        String key,
        List<X509Certificate> chain,
        PrivateKey privateKey,
        boolean limited,
        Instant expires,
        Instant terminates)
        implements DelegatedCredential {

    public DelegatedProxy {
        Text.requireText(owner, "owner", 1024);
        Text.requireText(key, "key", 128);
        chain = List.copyOf(chain);
        requireNonNull(privateKey, "privateKey is null");
        DelegatedCredential.checkEnd(expires, terminates);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("the chain is empty");
        }
    }

    @Override
    public DelegatedProxy terminatingAt(Instant time) {
        return new DelegatedProxy(owner, key, chain, privateKey, limited, expires, time);
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "proxy " + key + " of " + owner + " until " + terminates;
    }
}
