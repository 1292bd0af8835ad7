// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** A distinguished name as grid-mapfiles write it: {@code /O=Grid/CN=Alice}, the most general part first. */
public final class SlashName {

    private SlashName() {}

    /** The slash form of a name of plain parts: nothing in it is escaped. */
    public static String of(X500Principal name) {
        try {
            StringBuilder slashed = new StringBuilder();
            // an LdapName counts its parts from the right, where the most general one stands
            for (Rdn part : new LdapName(name.getName(X500Principal.RFC2253)).getRdns()) {
                slashed.append('/').append(part.getType()).append('=').append(part.getValue());
            }
            return slashed.toString();
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("not a distinguished name: " + name, e);
        }
    }
}
