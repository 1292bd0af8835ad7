// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.jobgate.identity.Identity;

/** Finds the subject of a chain of certificates. */
@FunctionalInterface
public interface ChainTrust {

    /**
     * Checks the chain as that of a TLS client.
     *
     * @param chain the signer's own certificate first
     * @throws CertificateException with the reason why the chain is not good
     */
    Identity check(X509Certificate[] chain) throws CertificateException;
}
