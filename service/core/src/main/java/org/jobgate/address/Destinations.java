// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the gateway may connect to for somebody else. Never: its own ports, addresses of the link, metadata services of clouds. By
 * configuration: private networks, this machine.
 */
public final class Destinations {

    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private final OwnPorts own;
    private final String section;
    private final boolean allowPrivate;
    private final boolean allowLoopback;

    /**
     * For addresses that clients name.
     *
     * @param section of the configuration that has {@code allowPrivateAddresses} and {@code allowLoopbackAddresses}
     */
    public Destinations(OwnPorts own, String section, boolean allowPrivate, boolean allowLoopback) {
        this.own = requireNonNull(own, "own is null");
        this.section = requireNonNull(section, "section is null");
        this.allowPrivate = allowPrivate;
        this.allowLoopback = allowLoopback;
    }

    /** For addresses that the site's own configuration names, which may lie in its own networks. */
    public static Destinations ofSite(OwnPorts own) {
        return new Destinations(own, "", true, true);
    }

    /**
     * Checks an address that is about to be connected to.
     *
     * @param host as it was named, for the message
     */
    public void check(String host, InetAddress address, int port) throws ForbiddenAddressException {
        String shown = host + " (" + address.getHostAddress() + ")";
        if (own.contain(address, port)) {
            throw new ForbiddenAddressException(
                    shown + " port " + port + " is this gateway itself, which never connects to its own ports",
                    "Name another server.");
        }
        if (ForbiddenAddresses.contain(address)) {
            throw new ForbiddenAddressException(
                    shown + " is an address of the local link, of a group, or of a cloud's metadata service,"
                            + " which this gateway never connects to",
                    "Name another server.");
        }
        if (!allowLoopback && LocalAddresses.isLoopback(address)) {
            throw notAllowed(shown, "the gateway's own machine", "allowLoopbackAddresses");
        }
        if (!allowPrivate && !LocalAddresses.isLoopback(address) && PrivateAddresses.contain(address)) {
            throw notAllowed(shown, "an address in a private network", "allowPrivateAddresses");
        }
    }

    private ForbiddenAddressException notAllowed(String shown, String what, String setting) {
        return new ForbiddenAddressException(
                shown + " is " + what + ", which " + section + "." + setting + " = false forbids",
                "Name a server with another address, or ask the site's administrator.");
    }

    /**
     * Looks a host up and checks each of its addresses.
     *
     * @param host a name or an address, as a URL has it
     * @return them, at least one
     */
    public List<InetAddress> checked(String host, int port) throws ForbiddenAddressException, UnknownHostException {
        List<InetAddress> addresses = List.of(InetAddress.getAllByName(host));
        for (InetAddress address : addresses) {
            check(host, address, port);
        }
        return addresses;
    }

    /**
     * Looks the host of a URL up, checks each of its addresses, and keeps the name with these until what is answered is closed: for a
     * client that looks names up itself. One that connects within that time meets what was checked, whatever the name's server says
     * meanwhile.
     *
     * @param url of http or https
     */
    public Held hold(URI url) throws ForbiddenAddressException, UnknownHostException {
        String host = url.getHost();
        if (host == null) {
            throw new UnknownHostException("no host in " + url);
        }
        HeldNames.Held held = HeldNames.ofThisProcess().hold(host);
        try {
            for (InetAddress address : held.addresses()) {
                check(host, address, port(url.getScheme(), url.getPort()));
            }
            return held::close;
        } catch (ForbiddenAddressException e) {
            held.close();
            throw e;
        }
    }

    private static int port(@Nullable String scheme, int port) {
        return port >= 0 ? port : "http".equalsIgnoreCase(scheme) ? HTTP : HTTPS;
    }

    /** A name that keeps its addresses. */
    @FunctionalInterface
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }
}
