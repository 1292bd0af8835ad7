// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Addresses of this machine. */
final class LocalAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(LocalAddresses.class);

    private LocalAddresses() {}

    /** Whether only this machine itself is reached by it: loopback, or no address at all, which the kernel takes as loopback. */
    static boolean isLoopback(InetAddress address) {
        return EmbeddedAddresses.withEmbedded(address).anyMatch(one -> one.isLoopbackAddress() || isThisNetwork(one));
    }

    private static boolean isThisNetwork(InetAddress address) {
        return address.isAnyLocalAddress() || (address.getAddress().length == 4 && address.getAddress()[0] == 0);
    }

    /** Whether it is loopback or stands at one of the machine's interfaces now. */
    static boolean contain(InetAddress address) {
        return isLoopback(address) || EmbeddedAddresses.withEmbedded(address).anyMatch(LocalAddresses::isAtInterface);
    }

    private static boolean isAtInterface(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            LOG.warn("Whether {} is an address of this machine cannot be found out; it is taken for one", address, e);
            return true;
        }
    }
}
