// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The hosts and ports by which clients reach this gateway. A signed message that names another one is for another gateway, and whoever got it
 * there must not be able to send it on to here.
 *
 * <p>Known are the gateway's public name, the names in its certificate, and the addresses of its own interfaces, each with a port at which
 * it answers; and what the site names further, for clients that reach it through a relay or under another name. The machine's loopback is
 * known to its own clients only.
 */
public final class KnownNames {

    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^\\]@]+]|[^:@\\[\\]]+)(?::([0-9]{1,5}))?");
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

    /** Nothing else: what only looks like an address, such as 999.1.1.1, would be asked for as a name. */
    private static final Pattern LITERAL = Pattern.compile("\\[.*]|(?:" + BYTE + "\\.){3}" + BYTE);

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private final Set<String> own = new LinkedHashSet<>();
    private final List<Place> further;
    private final IntPredicate ports;
    private final Predicate<InetAddress> isLocal;

    /**
     * A host with a port.
     *
     * @param port 0 for any
     */
    private record Place(String host, int port) {

        /** Empty for what is none. */
        static Optional<Place> of(String authority, int otherwise) {
            Matcher matcher = AUTHORITY.matcher(authority);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String port = matcher.group(2);
            return Optional.of(
                    new Place(normalized(matcher.group(1)), port == null ? otherwise : Integer.parseInt(port)));
        }
    }

    /**
     * The names of one gateway.
     *
     * @param publicName the host in all addresses that it gives out
     * @param certificate its own
     * @param further what clients call it beside that, each {@code host} for any port or {@code host:port}
     * @param ports those at which it answers
     * @param isLocal whether an address is one of this machine
     * @throws IllegalArgumentException where a further name is no host
     */
    public KnownNames(
            String publicName,
            X509Certificate certificate,
            Collection<String> further,
            IntPredicate ports,
            Predicate<InetAddress> isLocal) {
        own.add(normalized(publicName));
        own.addAll(names(certificate));
        List<Place> places = new ArrayList<>();
        for (String name : further) {
            places.add(Place.of(name, 0)
                    .orElseThrow(() -> new IllegalArgumentException("not a host, nor a host with a port: " + name)));
        }
        this.further = List.copyOf(places);
        this.ports = requireNonNull(ports, "ports is null");
        this.isLocal = requireNonNull(isLocal, "isLocal is null");
    }

    private static Set<String> names(X509Certificate certificate) {
        Set<String> names = new LinkedHashSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(0) instanceof Integer type
                            && (type == DNS_NAME || type == IP_ADDRESS)
                            && alternative.get(1) instanceof String text) {
                        names.add(normalized(text));
                    }
                }
            }
            if (names.isEmpty()) {
                for (Rdn part :
                        new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                    if (part.getType().equalsIgnoreCase("CN")) {
                        // as grids have named their hosts: host/NAME
                        names.add(normalized(String.valueOf(part.getValue()).replaceFirst("^host/", "")));
                    }
                }
            }
        } catch (CertificateParsingException | InvalidNameException e) {
            throw new IllegalArgumentException("the gateway's certificate cannot be read", e);
        }
        return names;
    }

    /** A name in small letters, without the dot at the end; an address in one form. */
    private static String normalized(String host) {
        String text = host.strip().toLowerCase(Locale.ROOT);
        if (text.indexOf(':') >= 0 && !text.startsWith("[")) {
            text = "[" + text + "]";
        }
        return literal(text)
                .map(InetAddress::getHostAddress)
                .orElse(text.endsWith(".") ? text.substring(0, text.length() - 1) : text);
    }

    /** Asks nobody: what is no address is empty. */
    private static Optional<InetAddress> literal(String host) {
        if (!LITERAL.matcher(host).matches() && host.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return Optional.empty(); // a text that only looks like one
        }
    }

    /**
     * Whether an address, as a message names it, is one of this gateway.
     *
     * @param client the address from which the message came; empty where that is not known
     */
    boolean contain(String address, String client) {
        Optional<Place> asked = place(address);
        return asked.isPresent() && (isFurther(asked.get()) || isOwn(asked.get(), client));
    }

    private static Optional<Place> place(String address) {
        try {
            URI url = new URI(address);
            String authority = url.getRawAuthority();
            return authority == null
                    ? Optional.empty()
                    : Place.of(authority, "https".equalsIgnoreCase(url.getScheme()) ? HTTPS : HTTP);
        } catch (URISyntaxException e) {
            return Optional.empty(); // no gateway has such an address
        }
    }

    private boolean isFurther(Place asked) {
        return further.stream()
                .anyMatch(known ->
                        known.host().equals(asked.host()) && (known.port() == 0 || known.port() == asked.port()));
    }

    private boolean isOwn(Place asked, String client) {
        if (!ports.test(asked.port())) {
            return false;
        }
        String host = asked.host();
        if (own.stream().anyMatch(known -> matches(known, host))) {
            return true;
        }
        Optional<InetAddress> address = literal(host);
        boolean isLoopback = host.equals("localhost")
                || address.map(InetAddress::isLoopbackAddress).orElse(false);
        return isLoopback
                ? literal(normalized(client))
                        .map(InetAddress::isLoopbackAddress)
                        .orElse(false)
                : address.map(isLocal::test).orElse(false);
    }

    /** A star in a certificate stands for one label. */
    private static boolean matches(String known, String host) {
        int dot = host.indexOf('.');
        return known.startsWith("*.") ? dot > 0 && host.substring(dot).equals(known.substring(1)) : known.equals(host);
    }

    /** Those of its own, for people. */
    @Override
    public String toString() {
        return String.join(", ", own);
    }
}
