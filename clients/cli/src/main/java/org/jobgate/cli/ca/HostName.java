// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static java.util.Objects.requireNonNull;

import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.util.IPAddress;

/** A name or address under which clients reach a host. */
record HostName(String text) {
    HostName {
        requireNonNull(text, "text is null");
        if (text.isBlank() || text.chars().anyMatch(c -> c <= ' ' || c == '/')) {
            throw new IllegalArgumentException("\"" + text + "\" is not a host name");
        }
    }

    GeneralName asGeneralName() {
        return new GeneralName(IPAddress.isValid(text) ? GeneralName.iPAddress : GeneralName.dNSName, text);
    }
}
