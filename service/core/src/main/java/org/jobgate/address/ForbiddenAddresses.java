// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Addresses to which the gateway never connects, whatever is configured: the link's own, at which clouds hand credentials to any program that
 * asks from the machine, and the few at which clouds do the same outside of that range.
 */
final class ForbiddenAddresses {

    /** Alibaba, Oracle (old), Azure; Amazon, Google, Scaleway, Oracle over IPv6. */
    private static final Set<InetAddress> METADATA = literals(
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fd00:42::42",
            "fd00:c1::a9fe:a9fe");

    private ForbiddenAddresses() {}

    /** Whether it is one, also where it is an IPv4 address inside one of IPv6. */
    static boolean contain(InetAddress address) {
        return EmbeddedAddresses.withEmbedded(address)
                .anyMatch(one -> one.isLinkLocalAddress() || one.isMulticastAddress() || METADATA.contains(one));
    }

    private static Set<InetAddress> literals(String... texts) {
        return Arrays.stream(texts).map(ForbiddenAddresses::literal).collect(Collectors.toUnmodifiableSet());
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(text + " is an address", e);
        }
    }
}
