// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.container.config.CredentialsConfig.ClientCertificates;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.PortConfig;
import org.jspecify.annotations.Nullable;

/**
 * What holds on one port. It is a bean of the port's connector.
 *
 * @param setting what the port is called in the configuration
 * @param tokenPaths only what is below these takes tokens; empty: nothing does
 * @param paths only what is below these is served
 * @param door only this door is served; absent: every door that has no port of its own
 */
record PortRules(
        String setting,
        String host,
        int port,
        ClientCertificates certificates,
        List<String> tokenPaths,
        List<String> paths,
        @Nullable String door) {

    static PortRules first(JobgateConfig config) {
        return new PortRules(
                "server.port",
                config.server().host(),
                config.server().port(),
                config.credentials().clientCertificates(),
                config.credentials().tokens() ? config.tokens().paths() : List.of(),
                List.of("/"),
                null);
    }

    static PortRules further(JobgateConfig config, int index) {
        PortConfig port = config.ports().get(index);
        return new PortRules(
                "ports[" + index + "].port",
                port.host() == null ? config.server().host() : port.host(),
                port.port(),
                port.clientCertificates(),
                port.tokens() ? config.tokens().paths() : List.of(),
                port.paths(),
                null);
    }

    /** The rules of the port that one door has for itself; in everything else they are those of the first port. */
    static PortRules ofDoor(JobgateConfig config, String door, int port) {
        PortRules first = first(config);
        return new PortRules(
                "doors." + door + ".port",
                first.host(),
                port,
                first.certificates(),
                first.tokenPaths(),
                first.paths(),
                door);
    }

    /** The rules of the port that the request came in by. */
    static PortRules of(Request request) {
        return ((ServerConnector) request.getConnectionMetaData().getConnector()).getBean(PortRules.class);
    }

    /** Whether the door of this name, which is mounted at that path, is served on the port. */
    boolean servesDoor(JobgateConfig config, String name, String path) {
        boolean isOfThisPort = door == null ? config.door(name).port() == null : door.equals(name);
        return config.serves(name) && isOfThisPort && isBelow(path, paths);
    }

    /** @param place what answers at the path, if anything */
    boolean serves(String path, Mounts.@Nullable Place place) {
        boolean isOfThisPort = door == null
                ? place == null || !place.hasOwnPort()
                : place != null && place.door().equals(door);
        return isOfThisPort && isBelow(path, paths);
    }

    /** Why it does not serve the place: one sentence. */
    String notHere(Mounts.@Nullable Place place) {
        if (door != null) {
            return "On this port only the door " + door + " is served.";
        }
        return place != null && place.hasOwnPort()
                ? "The door " + place.door() + " is served on a port of its own."
                : "On this port only what is below " + String.join(", ", paths) + " is served.";
    }

    boolean takesTokens(String path) {
        return isBelow(path, tokenPaths);
    }

    private static boolean isBelow(String path, List<String> prefixes) {
        for (String prefix : prefixes) {
            int length = prefix.length();
            if (path.startsWith(prefix)
                    && (path.length() == length || prefix.endsWith("/") || path.charAt(length) == '/')) {
                return true;
            }
        }
        return false;
    }
}
