// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/**
 * A credential of a job's owner that can be delegated further.
 *
 * @param version the same for the same credential, another one when it was renewed
 * @param signature signs with it
 */
public record DelegableCredential(String version, Signature signature) {

    public DelegableCredential {
        requireNonNull(version, "version is null");
        requireNonNull(signature, "signature is null");
    }

    /** Makes a further proxy of the credential. */
    @FunctionalInterface
    public interface Signature {

        /**
         * Signs a proxy over somebody else's key.
         *
         * @param request certificate request (PKCS#10) in PEM; only its key counts
         * @return the proxy and the certificates that it was signed with, in PEM, the proxy first
         * @throws IOException if the request cannot be read, or holds no key that is good enough
         */
        String sign(String request) throws IOException;
    }
}
