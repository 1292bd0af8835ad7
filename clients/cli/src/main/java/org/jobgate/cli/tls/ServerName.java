// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The name that the server must have: GT's host, self and subject authorization. */
public sealed interface ServerName {
    /** Whether the server with this end-entity certificate, reached under this host name, is the one. */
    boolean matches(X509Certificate certificate, String host);

    /** What was expected, to be put after "expected". */
    String expected(String host);

    /** The certificate must be the host's: by subjectAltName, else by {@code CN=FQDN} or {@code CN=host/FQDN}. */
    record Host() implements ServerName {
        private static final int DNS_NAME = 2;
        private static final int IP_ADDRESS = 7;

        @Override
        public boolean matches(X509Certificate certificate, String host) {
            if (byAlternativeName(certificate, host)) {
                return true;
            }
            List<String> names = SlashName.commonNames(certificate.getSubjectX500Principal());
            return !names.isEmpty() && commonNameMatches(names.getLast(), host);
        }

        private static boolean byAlternativeName(X509Certificate certificate, String host) {
            try {
                Collection<List<?>> names = certificate.getSubjectAlternativeNames();
                for (List<?> name : names == null ? List.<List<?>>of() : names) {
                    int kind = (Integer) name.getFirst();
                    String value = name.get(1).toString();
                    if ((kind == DNS_NAME && dnsMatches(value, host))
                            || (kind == IP_ADDRESS && sameAddress(value, host))) {
                        return true;
                    }
                }
                return false;
            } catch (CertificateParsingException e) {
                // a name list that cannot be read names nobody
                return false;
            }
        }

        private static boolean commonNameMatches(String name, String host) {
            int slash = name.indexOf('/');
            boolean isHost = slash < 0 || name.substring(0, slash).equals("host");
            return isHost && dnsMatches(name.substring(slash + 1), host);
        }

        /** RFC 6125: a star stands for exactly the leftmost label. */
        private static boolean dnsMatches(String pattern, String host) {
            String wanted = host.toLowerCase(Locale.ROOT);
            String name = pattern.toLowerCase(Locale.ROOT);
            if (name.equals(wanted)) {
                return true;
            }
            int dot = wanted.indexOf('.');
            return name.startsWith("*.") && dot > 0 && name.substring(1).equals(wanted.substring(dot));
        }

        private static boolean sameAddress(String address, String host) {
            boolean isLiteral = host.indexOf(':') >= 0 || host.chars().noneMatch(Character::isLetter);
            try {
                // both are literals: nothing is looked up
                return isLiteral && InetAddress.getByName(address).equals(InetAddress.getByName(host));
            } catch (UnknownHostException e) {
                // not an address after all: it matches nothing
                return false;
            }
        }

        @Override
        public String expected(String host) {
            return "a certificate for host " + host;
        }
    }

    /** The certificate must be of exactly this subject, in slash form. */
    record Subject(String name) implements ServerName {
        public Subject {
            requireNonNull(name, "name is null");
        }

        @Override
        public boolean matches(X509Certificate certificate, String host) {
            return SlashName.of(certificate.getSubjectX500Principal()).equals(name);
        }

        @Override
        public String expected(String host) {
            return "subject " + name;
        }
    }
}
