// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * What two leases must have in common to use the same session.
 *
 * @param credential its first certificate: two credentials of the same user are different connections
 * @param subject which the server's certificate must have; null: the name of its host. A session that was checked for one does not serve
 *     a lease that asks for the other
 */
record SessionKey(
        ServerAddress server,
        X509Certificate credential,
        Delegation delegation,
        @Nullable SubjectName subject) {

    static SessionKey of(ServerAddress server, GsiSecurity security) {
        return new SessionKey(server, security.credential().getCertificate(), security.delegation(), security.server());
    }
}
