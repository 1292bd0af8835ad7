// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A proxy, with which a connection is opened.
 *
 * @param id changes when it is renewed
 * @param chain its certificate first, then what that was signed with
 * @param until when it expires
 */
public record TransferProxy(String id, List<X509Certificate> chain, PrivateKey key, Instant until)
        implements TransferCredential {

    public TransferProxy {
        requireNonNull(id, "id is null");
        requireNonNull(key, "key is null");
        requireNonNull(until, "until is null");
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("the chain is empty");
        }
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "proxy " + id + " until " + until;
    }
}
