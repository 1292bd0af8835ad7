// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports at which this gateway answers. Nobody's word makes it connect to them: it would speak to itself in its own name.
 *
 * <p>They are known once they are open; what can connect is made before.
 */
public final class OwnPorts {

    private static final Logger LOG = LoggerFactory.getLogger(OwnPorts.class);

    private final String publicName;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** @param publicName by which others reach this machine: its addresses may stand at a router before it */
    public OwnPorts(String publicName) {
        this.publicName = publicName;
    }

    /** None yet, at a machine that only has the addresses of its interfaces. */
    public OwnPorts() {
        this("localhost");
    }

    /** One more. */
    public void add(int port) {
        ports.add(port);
    }

    /** Whether the gateway answers at a port of this machine. */
    public boolean isOwn(int port) {
        return ports.contains(port);
    }

    /** Whether an address is one of this machine's interfaces. */
    public static boolean isOfThisMachine(InetAddress address) {
        return LocalAddresses.contain(address);
    }

    boolean contain(InetAddress address, int port) {
        return ports.contains(port) && (LocalAddresses.contain(address) || isPublic(address));
    }

    private boolean isPublic(InetAddress address) {
        try {
            return Arrays.asList(InetAddress.getAllByName(publicName)).contains(address);
        } catch (UnknownHostException e) {
            LOG.debug("the gateway's own name {} is not known here", publicName, e);
            return false;
        }
    }
}
