// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import org.jobgate.address.Destinations;
import org.jobgate.address.ForbiddenAddressException;

/** Which addresses the gateway may call: a client's word makes it connect there. */
public final class CallbackPolicy {

    private static final int MAX_CHARACTERS = 2048;

    private final Destinations destinations;

    public CallbackPolicy(Destinations destinations) {
        this.destinations = requireNonNull(destinations, "destinations is null");
    }

    /**
     * Checks the form of an address. Hosts that are given as numbers are checked as {@link #requireHost} does; names are resolved
     * when they are called.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public URI requireAddress(String address) {
        if (address.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "its address has " + address.length() + " characters; at most " + MAX_CHARACTERS + " are allowed");
        }
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("its address is not a URL: " + e.getMessage(), e);
        }
        String scheme = uri.getScheme();
        if (!"https".equalsIgnoreCase(scheme) && !"http".equalsIgnoreCase(scheme)) {
            throw new IllegalArgumentException("its address must begin with https:// or http://: " + address);
        }
        if (uri.getHost() == null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("its address must name a host, and no user: " + address);
        }
        if (isNumeric(uri.getHost())) {
            requireHost(uri);
        }
        return uri;
    }

    private static boolean isNumeric(String host) {
        return host.startsWith("[") || host.chars().allMatch(c -> c == '.' || Character.digit(c, 10) >= 0);
    }

    /**
     * Resolves the host and checks where it is. The client that calls it checks again, what it connects to.
     *
     * @throws IllegalArgumentException if it cannot be resolved or may not be called
     */
    public void requireHost(URI uri) {
        try {
            check(uri);
        } catch (ForbiddenAddressException e) {
            throw new IllegalArgumentException("its address may not be called: " + e.getMessage(), e);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("its host is not known: " + uri.getHost(), e);
        }
    }

    /**
     * Resolves the host and checks where it is.
     *
     * @throws ForbiddenAddressException if it may not be called
     * @throws UnknownHostException if it cannot be resolved now
     */
    void check(URI uri) throws ForbiddenAddressException, UnknownHostException {
        destinations.hold(uri).close();
    }
}
