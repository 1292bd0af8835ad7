// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import javax.net.ssl.SSLContext;

/**
 * Whose credential is shown to the other gateway.
 *
 * @param key the same for the same credential, another one when it was renewed; connections are kept by it
 * @param tls shows the credential, and accepts the other side only if its chain is good and names the host that was asked for
 */
public record ClientCredential(String key, SSLContext tls) {

    public ClientCredential {
        requireNonNull(key, "key is null");
        requireNonNull(tls, "tls is null");
    }
}
