// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;

/** What a proxy of RFC 3820 may do: its policy language (section 3.8.2; the limited one is Globus's). */
public enum ProxyKind {
    /** All that its issuer may. */
    FULL("1.3.6.1.5.5.7.21.1", "full proxy (RFC 3820)"),
    /** May move files and must not start jobs. */
    LIMITED("1.3.6.1.4.1.3536.1.1.1.9", "limited proxy (RFC 3820)"),
    /** Nothing but what is granted to the proxy's own name. */
    INDEPENDENT("1.3.6.1.5.5.7.21.2", "independent proxy (RFC 3820)");

    private final String language;
    private final String description;

    ProxyKind(String language, String description) {
        this.language = language;
        this.description = description;
    }

    ASN1ObjectIdentifier language() {
        return new ASN1ObjectIdentifier(language);
    }

    /** For people. */
    public String description() {
        return description;
    }
}
