// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A credential that a job's owner delegated for moving its files.
 *
 * @param id the same as long as it is the same; changes when it is renewed. To find connections again that were opened with it
 * @param chain its certificate first, then what that was signed with
 * @param until when it expires
 */
public record TransferCredential(String id, List<X509Certificate> chain, PrivateKey key, Instant until) {

    public TransferCredential {
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
        return "credential " + id + " until " + until;
    }
}
