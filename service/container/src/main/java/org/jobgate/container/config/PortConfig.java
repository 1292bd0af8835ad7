// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A further port. */
@Section(value = "Further HTTPS ports, each with its own rules. There are none by default.", optional = true)
public record PortConfig(
        @Setting(description = "The port; 0 lets the system choose.", byDefault = "8444", min = "0", max = "65535")
        int port,

        @Setting(description = "Address to listen on; that of `server.host` if not given.") @Nullable
        String host,

        @Setting(description = "As `credentials.clientCertificates`, for this port.", byDefault = "want")
        CredentialsConfig.ClientCertificates clientCertificates,

        @Setting(description = "As `credentials.tokens`, for this port.", byDefault = "true")
        boolean tokens,

        @Setting(description = "Only what is below these paths is served on this port, e.g. `/jobs`.", byDefault = "/")
        List<String> paths) {

    public PortConfig {
        paths = List.copyOf(paths);
        for (String path : paths) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("paths: " + path + " does not begin with a slash");
            }
        }
        if (clientCertificates == CredentialsConfig.ClientCertificates.NONE && !tokens) {
            throw new IllegalArgumentException(
                    "port " + port + " takes neither certificates nor tokens: nobody could come in");
        }
    }
}
