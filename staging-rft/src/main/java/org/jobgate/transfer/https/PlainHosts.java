// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The hosts that the site lets be asked by plain {@code http:}. Nothing of it is encrypted and no server proves who it is, so only those are
 * asked that are named here, at the port that is named with them.
 */
public final class PlainHosts {

    /** No hosts: no {@code http:}. */
    public static final PlainHosts NONE = new PlainHosts(Set.of());

    private static final int HTTP = 80;
    private static final Pattern FORM = Pattern.compile(
            "(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})(:[0-9]{1,5})?|\\[[0-9A-Fa-f:.]{2,45}](:[0-9]{1,5})?");

    /** Each with its port, in small letters. */
    private final Set<String> hosts;

    private PlainHosts(Set<String> hosts) {
        this.hosts = Set.copyOf(hosts);
    }

    /**
     * Reads the site's list.
     *
     * @param texts each {@code HOST}, {@code HOST:PORT}, or {@code *.DOMAIN} for all hosts below a domain; port 80 where none is said
     * @throws IllegalArgumentException that names what is wrong
     */
    public static PlainHosts parse(List<String> texts) {
        Set<String> hosts = new HashSet<>();
        for (String text : texts) {
            if (!FORM.matcher(text).matches()) {
                throw new IllegalArgumentException(text + " is not of the form HOST, HOST:PORT or *.DOMAIN");
            }
            int colon = text.lastIndexOf(':');
            boolean hasPort = colon > text.lastIndexOf(']');
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : HTTP;
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException(text + " does not name a port between 1 and 65535");
            }
            hosts.add((hasPort ? text.substring(0, colon) : text).toLowerCase(Locale.ROOT) + ":" + port);
        }
        return new PlainHosts(hosts);
    }

    /** Whether there is no host that may be asked. */
    public boolean isEmpty() {
        return hosts.isEmpty();
    }

    /** Whether the host and the port of an {@code http:} URL are on the list. */
    boolean contain(URI url) {
        String host = url.getHost();
        if (host == null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        String port = ":" + (url.getPort() < 0 ? HTTP : url.getPort());
        if (hosts.contains(name + port)) {
            return true;
        }
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (hosts.contains("*" + name.substring(dot) + port)) {
                return true;
            }
        }
        return false;
    }
}
