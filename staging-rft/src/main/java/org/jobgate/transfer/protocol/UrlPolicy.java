// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jobgate.address.Destinations;
import org.jobgate.address.ForbiddenAddressException;
import org.jobgate.address.OwnPorts;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * Which servers files may be fetched from and sent to: a client's word, or a server's, makes the gateway connect there. A protocol asks it
 * about every address before it connects to it, with the address that it then connects to.
 */
public final class UrlPolicy {

    private static final Map<String, Integer> PORTS =
            Map.of("https", 443, "http", 80, "gsiftp", 2811, "ftp", 21, "sftp", 22, "scp", 22);

    private final Destinations destinations;

    public UrlPolicy(Destinations destinations) {
        this.destinations = requireNonNull(destinations, "destinations is null");
    }

    /** One for a gateway that listens nowhere: this machine and private networks are allowed, or both are not. */
    public UrlPolicy(boolean allowPrivateAddresses) {
        this(new Destinations(new OwnPorts(), "staging", allowPrivateAddresses, allowPrivateAddresses));
    }

    /**
     * Resolves the host and checks where it is, so that what cannot be is refused before anything is opened; files of this machine are
     * nobody's address.
     *
     * @throws TransferException if the site forbids it, or the host is not known
     */
    public void check(URI url) throws TransferException {
        String host = url.getHost();
        if (host != null) {
            addresses(host, port(url));
        }
    }

    private static int port(URI url) {
        return url.getPort() >= 0
                ? url.getPort()
                : PORTS.getOrDefault(String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT), 0);
    }

    /**
     * Resolves a host and checks each of its addresses.
     *
     * @return them, to be connected to
     * @throws TransferException if the site forbids one, or the host is not known
     */
    public List<InetAddress> addresses(String host, int port) throws TransferException {
        try {
            return destinations.checked(host, port);
        } catch (ForbiddenAddressException e) {
            throw refused(e);
        } catch (UnknownHostException e) {
            throw unknown(host, e);
        }
    }

    /**
     * As {@link Destinations#hold}.
     *
     * @throws TransferException if the site forbids it, or the host is not known
     */
    public Destinations.Held hold(URI url) throws TransferException {
        try {
            return destinations.hold(url);
        } catch (ForbiddenAddressException e) {
            throw refused(e);
        } catch (UnknownHostException e) {
            throw unknown(String.valueOf(url.getHost()), e);
        }
    }

    /** Checks an address that a server has named, or that is about to be connected to. */
    public void check(String host, InetAddress address, int port) throws ForbiddenAddressException {
        destinations.check(host, address, port);
    }

    /** What it means for a transfer. */
    public static TransferException refused(ForbiddenAddressException e) {
        return new TransferException(Kind.PERMANENT, "the host " + e.getMessage(), e.remedy(), e);
    }

    private static TransferException unknown(String host, UnknownHostException e) {
        return new TransferException(
                Kind.SERVER, "the host " + host + " is not known", "Check the host's name in the URL.", e);
    }
}
