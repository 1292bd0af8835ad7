// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TCP ports of this machine that a site lets servers connect to.
 *
 * @param first the least of them, 1 to 65535; 0, with {@code last} 0, for whatever the system gives
 * @param last the greatest of them
 */
public record PortRange(int first, int last) {

    /** Whatever port the system gives. */
    public static final PortRange ANY = new PortRange(0, 0);

    private static final int MAX_PORT = 65535;
    private static final Pattern FORM = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");

    /** Checks the order. */
    public PortRange {
        boolean isAny = first == 0 && last == 0;
        if (!isAny && (first < 1 || last < first || last > MAX_PORT)) {
            throw new IllegalArgumentException(
                    "ports are from 1 to " + MAX_PORT + ", the least first: " + first + "-" + last);
        }
    }

    /**
     * Reads {@code FIRST-LAST}, as in {@code 50000-50100}, or {@code any}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static PortRange parse(String text) {
        if (text.equals("any")) {
            return ANY;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not of the form FIRST-LAST, as 50000-50100, nor any");
        }
        return new PortRange(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /**
     * Listens at one of them that is free.
     *
     * @param buffer bytes of the TCP buffer; 0 leaves it to the system
     * @throws BindException if none is
     */
    ServerSocket listen(InetAddress address, int backlog, int buffer) throws IOException {
        int count = last - first + 1;
        int begin = ThreadLocalRandom.current().nextInt(count);
        IOException why = null;
        for (int i = 0; i < count; i++) {
            // a new one each time: what failed to listen may be bound all the same
            ServerSocket socket = Sockets.unbound();
            try {
                if (buffer > 0) {
                    socket.setReceiveBufferSize(buffer);
                }
                socket.bind(new InetSocketAddress(address, first + (begin + i) % count), backlog);
                return socket;
            } catch (IOException e) {
                why = e;
                socket.close();
            }
        }
        BindException none = new BindException("none of the ports " + first + " to " + last + " of "
                + address.getHostAddress() + " is free for a data connection");
        none.initCause(why);
        throw none;
    }
}
