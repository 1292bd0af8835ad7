// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;

/** Addresses that a site may forbid to be called on a client's word (RFC 1918, RFC 4193, RFC 6890). */
public final class PrivateAddresses {

    private PrivateAddresses() {}

    /**
     * Whether the address is of this host, a private network, or no single host's. An IPv4 address inside one of IPv6 is looked at, too.
     */
    public static boolean contain(InetAddress address) {
        return EmbeddedAddresses.withEmbedded(address).anyMatch(PrivateAddresses::isOne);
    }

    private static boolean isOne(InetAddress address) {
        byte[] bytes = address.getAddress();
        return isSpecial(address) || (bytes.length == 4 ? isReserved(bytes) : isUniqueLocal(bytes));
    }

    private static boolean isSpecial(InetAddress address) {
        return address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress();
    }

    /** RFC 6890: this network, shared address space, protocol assignments, benchmarks, and all from 240.0.0.0 on. */
    private static boolean isReserved(byte[] bytes) {
        int first = bytes[0] & 0xFF;
        int second = bytes[1] & 0xFF;
        return first == 0
                || first >= 240
                || (first == 100 && (second & 0xC0) == 64)
                || (first == 192 && second == 0 && bytes[2] == 0)
                || (first == 198 && (second & 0xFE) == 18);
    }

    private static boolean isUniqueLocal(byte[] bytes) {
        return (bytes[0] & 0xFE) == 0xFC;
    }
}
