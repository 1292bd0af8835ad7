// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.jobgate.address.PrivateAddresses;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** Which servers files may be fetched from and sent to: a client's word makes the gateway connect there. */
public final class UrlPolicy {

    private final boolean allowPrivateAddresses;

    public UrlPolicy(boolean allowPrivateAddresses) {
        this.allowPrivateAddresses = allowPrivateAddresses;
    }

    /**
     * Resolves the host and checks where it is; files of this machine are nobody's address. A protocol asks it for every server that
     * another server names.
     *
     * @throws TransferException if the site forbids it, or the host is not known
     */
    public void check(URI url) throws TransferException {
        String host = url.getHost();
        if (allowPrivateAddresses || host == null) {
            return;
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (PrivateAddresses.contain(address)) {
                    throw new TransferException(
                            Kind.PERMANENT,
                            "the host " + host + " is this one or in a private network (" + address.getHostAddress()
                                    + "), which staging.allowPrivateAddresses = false forbids",
                            "Use a server with a public address, or ask the site's administrator.");
                }
            }
        } catch (UnknownHostException e) {
            throw new TransferException(
                    Kind.SERVER, "the host " + host + " is not known", "Check the host's name in the URL.", e);
        }
    }
}
