// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;

/** Says whether a chain of certificates is good by what the site trusts, and who is behind it. */
@FunctionalInterface
public interface ChainCheck {

    /**
     * Checks it.
     *
     * @param chain the newest certificate first; authorities may be left out
     * @throws CertificateException with the reason why it is not good
     */
    Verified check(X509Certificate[] chain) throws CertificateException;

    /**
     * A chain that is good.
     *
     * @param subject the end entity, in slash form
     * @param limited whether any proxy of the chain is limited
     * @param expires when the first certificate of the chain expires
     */
    record Verified(String subject, boolean limited, Instant expires) {}
}
