// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.container.config.CredentialsConfig.ClientCertificates;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.PortConfig;

/**
 * What holds on one port. It is a bean of the port's connector.
 *
 * @param setting what the port is called in the configuration
 * @param tokenPaths only what is below these takes tokens; empty: nothing does
 * @param paths only what is below these is served
 */
record PortRules(
        String setting,
        String host,
        int port,
        ClientCertificates certificates,
        List<String> tokenPaths,
        List<String> paths) {

    static PortRules first(JobgateConfig config) {
        return new PortRules(
                "server.port",
                config.server().host(),
                config.server().port(),
                config.credentials().clientCertificates(),
                config.credentials().tokens() ? config.tokens().paths() : List.of(),
                List.of("/"));
    }

    static PortRules further(JobgateConfig config, int index) {
        PortConfig port = config.ports().get(index);
        return new PortRules(
                "ports[" + index + "].port",
                port.host() == null ? config.server().host() : port.host(),
                port.port(),
                port.clientCertificates(),
                port.tokens() ? config.tokens().paths() : List.of(),
                port.paths());
    }

    /** The rules of the port that the request came in by. */
    static PortRules of(Request request) {
        return ((ServerConnector) request.getConnectionMetaData().getConnector()).getBean(PortRules.class);
    }

    boolean serves(String path) {
        return isBelow(path, paths);
    }

    boolean takesTokens(String path) {
        return isBelow(path, tokenPaths);
    }

    private static boolean isBelow(String path, List<String> prefixes) {
        return prefixes.stream()
                .anyMatch(
                        prefix -> path.equals(prefix) || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/"));
    }
}
