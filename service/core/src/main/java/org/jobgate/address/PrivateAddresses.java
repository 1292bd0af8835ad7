// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;

/** Addresses that a site may forbid to be called on a client's word (RFC 1918, RFC 4193, RFC 6890). */
public final class PrivateAddresses {

    private PrivateAddresses() {}

    /**
     * Whether the address is of this host, a private network, or no single host's.
     *
     * <p>Java has made an IPv4 address of one that is only mapped into IPv6; other ways to write one inside the other are
     * undone here.
     */
    public static boolean contain(InetAddress address) {
        byte[] bytes = address.getAddress();
        return isSpecial(address)
                || (bytes.length == 4
                        ? isReserved(bytes)
                        : isUniqueLocal(bytes) || embedded(bytes).anyMatch(PrivateAddresses::contain));
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

    /** The IPv4 address in one of IPv6 that is translated or tunnelled to it: compatible, NAT64 (64:ff9b::/96), 6to4 (2002::/16). */
    private static Stream<InetAddress> embedded(byte[] bytes) {
        String head = HexFormat.of().formatHex(bytes, 0, 12);
        if (head.equals("0".repeat(24)) || head.equals("0064ff9b" + "0".repeat(16))) {
            return Stream.of(address(bytes, 12));
        }
        return head.startsWith("2002") ? Stream.of(address(bytes, 2)) : Stream.empty();
    }

    private static InetAddress address(byte[] bytes, int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
