// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * The IPv4 address that an IPv6 address stands for, where a router, a tunnel or the kernel makes one of the other. Java itself undoes only
 * the mapped form ({@code ::ffff:a.b.c.d}).
 */
final class EmbeddedAddresses {

    private static final String ZEROS = "0".repeat(16);
    private static final int V6 = 16;

    private EmbeddedAddresses() {}

    /** The address itself, and those that it may stand for. */
    static Stream<InetAddress> withEmbedded(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == V6 ? Stream.concat(Stream.of(address), in(bytes)) : Stream.of(address);
    }

    private static Stream<InetAddress> in(byte[] bytes) {
        String head = HexFormat.of().formatHex(bytes, 0, 12);
        // compatible (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052)
        if (head.equals(ZEROS + "00000000")
                || head.equals(ZEROS + "ffff0000")
                || head.equals(ZEROS + "0000ffff")
                || head.equals("0064ff9b" + ZEROS)) {
            return Stream.of(last(bytes));
        }
        // NAT64 of a site's own (RFC 8215): /48 puts the address around the ninth byte, /96 at the end
        if (head.startsWith("0064ff9b0001")) {
            return Stream.of(last(bytes), address(bytes[6], bytes[7], bytes[9], bytes[10]));
        }
        // 6to4 (RFC 3056)
        if (head.startsWith("2002")) {
            return Stream.of(address(bytes[2], bytes[3], bytes[4], bytes[5]));
        }
        // Teredo (RFC 4380): the server's, and the client's with every bit turned
        if (head.startsWith("20010000")) {
            return Stream.of(
                    address(bytes[4], bytes[5], bytes[6], bytes[7]),
                    address(~bytes[12], ~bytes[13], ~bytes[14], ~bytes[15]));
        }
        // ISATAP (RFC 5214)
        return head.endsWith("00005efe") || head.endsWith("02005efe") ? Stream.of(last(bytes)) : Stream.empty();
    }

    private static InetAddress last(byte[] bytes) {
        return of(Arrays.copyOfRange(bytes, 12, V6));
    }

    private static InetAddress address(int first, int second, int third, int fourth) {
        return of(new byte[] {(byte) first, (byte) second, (byte) third, (byte) fourth});
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
