// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import org.jspecify.annotations.Nullable;

/**
 * What a server is shown so that it knows who we are: a certificate in the TLS handshake, or a bearer token in every request. Never both,
 * for a service that takes tokens looks at the token alone.
 *
 * @param credential the certificate with its key; null where a token is shown
 * @param token null where a certificate is shown
 */
public record Identification(
        @Nullable Credential credential, @Nullable BearerToken token) {
    public Identification {
        if ((credential == null) == (token == null)) {
            throw new IllegalArgumentException("one of certificate and token is shown, and not both");
        }
    }

    public static Identification of(Credential credential) {
        return new Identification(credential, null);
    }

    static Identification of(BearerToken token) {
        return new Identification(null, token);
    }

    /** What every request says of us, with its line end; empty where the handshake has said it. */
    String headerLine() {
        return token == null ? "" : token.headerLine();
    }
}
