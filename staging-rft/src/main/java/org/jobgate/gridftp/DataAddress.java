// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a data connection goes: the numbers of {@code PASV} and {@code PORT} (RFC 959), the bars of {@code EPSV} and {@code EPRT}
 * (RFC 2428), the lists of {@code SPAS} and {@code SPOR} (GFD.020).
 */
record DataAddress(InetAddress host, int port) {

    /** Addresses that one {@code SPAS} may give. */
    static final int MAX_STRIPES = 256;

    private static final Pattern NUMBERS =
            Pattern.compile("([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})");
    private static final Pattern BARS = Pattern.compile("\\|([0-9]{0,2})\\|([0-9A-Fa-f.:]{0,64})\\|([0-9]{1,5})\\|");

    /** All addresses in a reply 227 or 229; where {@code EPSV} gives a port only, it is a port of the server that we talk to. */
    static List<DataAddress> in(Reply reply, InetAddress server) throws MalformedReplyException {
        List<DataAddress> found = new ArrayList<>();
        for (String line : reply.lines()) {
            Matcher numbers = NUMBERS.matcher(line);
            Matcher bars = BARS.matcher(line);
            if (numbers.find()) {
                found.add(of(numbers));
            } else if (bars.find()) {
                InetAddress host = bars.group(2).isEmpty() ? server : literal(bars.group(2));
                found.add(new DataAddress(host, port(Integer.parseInt(bars.group(3)))));
            }
        }
        if (found.isEmpty() || found.size() > MAX_STRIPES) {
            throw new MalformedReplyException("the reply '" + reply.shown() + "' names " + found.size()
                    + " addresses for data; 1 to " + MAX_STRIPES + " are possible");
        }
        return found;
    }

    private static DataAddress of(Matcher numbers) throws MalformedReplyException {
        int[] n = new int[6];
        for (int i = 0; i < n.length; i++) {
            n[i] = Integer.parseInt(numbers.group(i + 1));
            if (n[i] > 255) {
                throw new MalformedReplyException("'" + numbers.group() + "' is no address");
            }
        }
        return new DataAddress(literal(n[0] + "." + n[1] + "." + n[2] + "." + n[3]), port(n[4] * 256 + n[5]));
    }

    private static int port(int port) throws MalformedReplyException {
        if (port < 1 || port > 65535) {
            throw new MalformedReplyException(port + " is no port");
        }
        return port;
    }

    /** Only digits, colons and dots come here, so no name is looked up. */
    private static InetAddress literal(String text) throws MalformedReplyException {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new MalformedReplyException("'" + text + "' is no address");
        }
    }

    boolean isV6() {
        return host instanceof Inet6Address;
    }

    /** {@code PORT} or {@code EPRT}. */
    String portCommand() {
        return isV6() ? "EPRT " + bars() : "PORT " + numbers();
    }

    /** {@code SPOR} with all of them. */
    static String stripedPortCommand(List<DataAddress> addresses) {
        StringBuilder command = new StringBuilder("SPOR");
        for (DataAddress address : addresses) {
            command.append(' ').append(address.isV6() ? address.bars() : address.numbers());
        }
        return command.toString();
    }

    private String bars() {
        String address = host.getHostAddress();
        int zone = address.indexOf('%');
        return "|2|" + (zone < 0 ? address : address.substring(0, zone)) + "|" + port + "|";
    }

    private String numbers() {
        return host.getHostAddress().replace('.', ',') + "," + port / 256 + "," + port % 256;
    }
}
