// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Set;

/**
 * Services whose own specification does not ask for WS-Addressing, so that their clients may sign the Body and the Timestamp and send nothing
 * else. Such a message does not say for whom it is: another service to which it was sent could send it on to here while it lives.
 *
 * @param services that take a signed message without To over a connection of the signer's own, and one with To without Action and MessageID
 * @param overAnyConnection those of them that take one without To over any connection, since the site says so
 */
public record Unaddressed(Set<String> services, Set<String> overAnyConnection) {

    /** No service: all of WS-Addressing is asked for. */
    public static final Unaddressed NONE = new Unaddressed(Set.of(), Set.of());

    public Unaddressed {
        services = Set.copyOf(services);
        overAnyConnection = Set.copyOf(overAnyConnection);
    }
}
