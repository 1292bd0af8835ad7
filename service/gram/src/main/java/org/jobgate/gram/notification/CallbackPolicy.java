// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;

/** Which addresses the gateway may call: a client's word makes it connect there. */
public final class CallbackPolicy {

    private static final int MAX_CHARACTERS = 2048;

    private final boolean allowPrivateAddresses;

    public CallbackPolicy(boolean allowPrivateAddresses) {
        this.allowPrivateAddresses = allowPrivateAddresses;
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
     * Resolves the host and checks where it is.
     *
     * @throws IllegalArgumentException if it cannot be resolved or may not be called
     */
    public void requireHost(URI uri) {
        if (allowPrivateAddresses) {
            return;
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
                if (isPrivate(address)) {
                    throw new IllegalArgumentException("its address " + uri
                            + " is on this host or in a private network (" + address.getHostAddress()
                            + "), which callbacks.allowPrivateAddresses = false forbids");
                }
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("its host is not known: " + uri.getHost(), e);
        }
    }

    /** Java has made an IPv4 address of one that is only mapped into IPv6; other ways to write one inside the other are undone here. */
    private static boolean isPrivate(InetAddress address) {
        byte[] bytes = address.getAddress();
        return isSpecial(address)
                || (bytes.length == 4
                        ? isReserved(bytes)
                        : isUniqueLocal(bytes) || embedded(bytes).anyMatch(CallbackPolicy::isPrivate));
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
