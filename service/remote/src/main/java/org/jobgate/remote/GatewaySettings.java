// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import org.jobgate.lrm.LrmThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Which gateway, and how it is asked.
 *
 * @param name of the LRM here
 * @param factory the https address of the other gateway's ManagedJobFactoryService; nothing else is ever connected to
 * @param lrm the LRM there; absent means its default
 * @param requestTimeout how long one answer is waited for
 */
public record GatewaySettings(
        String name, URI factory, @Nullable String lrm, Duration requestTimeout, LrmThrottle throttle) {

    private static final String SERVICE = "/ManagedJobFactoryService";

    public GatewaySettings {
        requireNonNull(name, "name is null");
        requireNonNull(requestTimeout, "requestTimeout is null");
        requireNonNull(throttle, "throttle is null");
        boolean isPlain =
                factory.getRawQuery() == null && factory.getRawFragment() == null && factory.getRawUserInfo() == null;
        if (!"https".equals(factory.getScheme())
                || factory.getHost() == null
                || !factory.getPath().endsWith(SERVICE)
                || !isPlain) {
            throw new IllegalArgumentException("url must be https://HOST:PORT/..." + SERVICE + ": " + factory);
        }
    }

    /** The address of the service that its jobs are behind. */
    URI jobs() {
        return service("ManagedExecutableJobService");
    }

    /** The address of the service that takes credentials under names that the client gives them. */
    URI delegation() {
        return service("gridsite-delegation");
    }

    /** What its jobs say as the address of their credentials. */
    String credentials() {
        return service("DelegationService").toString();
    }

    private URI service(String name) {
        String address = factory.toString();
        return URI.create(address.substring(0, address.length() - SERVICE.length()) + "/" + name);
    }

    /** What a job there is called here. */
    String localId(String key) {
        return jobs() + "?" + key;
    }
}
