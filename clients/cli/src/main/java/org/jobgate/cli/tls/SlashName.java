// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Names as grids write them: {@code /C=DE/O=Grid/CN=Alice}. */
public final class SlashName {
    private static final Map<String, String> KEYWORDS = Map.of(
            "1.2.840.113549.1.9.1", "emailAddress", "0.9.2342.19200300.100.1.1", "UID", "2.5.4.5", "serialNumber");

    private SlashName() {}

    /** The name, most general part first. */
    public static String of(X500Principal name) {
        StringBuilder out = new StringBuilder();
        for (Rdn part : parts(name)) {
            out.append('/').append(part.getType()).append('=').append(part.getValue());
        }
        return out.toString();
    }

    /** The values of all common names, most general first. */
    static List<String> commonNames(X500Principal name) {
        List<String> values = new ArrayList<>();
        for (Rdn part : parts(name)) {
            if (part.getType().equalsIgnoreCase("CN")) {
                values.add(part.getValue().toString());
            }
        }
        return values;
    }

    private static List<Rdn> parts(X500Principal name) {
        try {
            return new LdapName(name.getName(X500Principal.RFC2253, KEYWORDS)).getRdns();
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("not a distinguished name: " + name, e);
        }
    }
}
