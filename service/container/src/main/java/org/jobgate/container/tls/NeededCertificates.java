// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.GeneralSecurityException;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * Finds the certificates of a chain that are needed: the proxies, the end entity, and the authorities on a path from it to a trusted one. A peer
 * may send more, e.g. a further certificate of the same authority by another one (RFC 5280 section 6: a path is built of what fits; RFC 8446
 * section 4.4.2: the peer may send any). Certificates that are not needed count neither for nor against the peer.
 */
final class NeededCertificates {

    /** A chain is short, and its steps have hardly ever a choice. The bound keeps a peer whose certificates all sign each other from costing more work. */
    private static final int MAX_CHECKS = 100;

    private static final int MAX_WAYS = 8;

    private final List<X509Certificate> authorities;
    private final Set<TrustAnchor> anchors;
    private final List<List<X509Certificate>> ways = new ArrayList<>();
    private int checks;

    private NeededCertificates(List<X509Certificate> authorities, Set<TrustAnchor> anchors) {
        this.authorities = authorities;
        this.anchors = anchors;
    }

    /**
     * The ways from the chain's first certificate to a trusted authority, which itself is not among them; where there is none, the one that
     * leads farthest by the names, so that the validator can say what is missing. Never empty.
     */
    static List<X509Certificate[]> of(X509Certificate[] chain, Set<TrustAnchor> anchors) {
        int endEntity = endEntity(chain);
        if (endEntity >= chain.length) {
            return List.<X509Certificate[]>of(chain);
        }
        List<X509Certificate> proxies = Arrays.asList(chain).subList(0, endEntity);
        List<X509Certificate> rest = Arrays.asList(chain).subList(endEntity + 1, chain.length);
        NeededCertificates needed = new NeededCertificates(rest, anchors);
        needed.search(List.of(chain[endEntity]));
        if (needed.ways.isEmpty()) {
            needed.ways.add(needed.byNames(chain[endEntity]));
        }
        return needed.ways.stream()
                .map(way -> {
                    List<X509Certificate> whole = new ArrayList<>(proxies);
                    whole.addAll(way);
                    return whole.toArray(X509Certificate[]::new);
                })
                .toList();
    }

    private static int endEntity(X509Certificate[] chain) {
        for (int i = chain.length - 1; i >= 0; i--) {
            if (ProxyUtils.isProxy(chain[i])) {
                return i + 1;
            }
        }
        return 0;
    }

    private void search(List<X509Certificate> way) {
        X509Certificate last = way.getLast();
        if (anchors.stream().anyMatch(anchor -> isIssued(last, anchor.getTrustedCert()))) {
            ways.add(way);
            return;
        }
        for (X509Certificate issuer : authorities) {
            if (ways.size() < MAX_WAYS && !way.contains(issuer) && isIssued(last, issuer)) {
                List<X509Certificate> longer = new ArrayList<>(way);
                longer.add(issuer);
                search(longer);
            }
        }
    }

    private boolean isIssued(X509Certificate certificate, X509Certificate issuer) {
        if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal()) || checks >= MAX_CHECKS) {
            return false;
        }
        checks++;
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException | RuntimeException e) {
            // signed with another key, or with none that can be read: this one is not the issuer
            return false;
        }
    }

    private List<X509Certificate> byNames(X509Certificate endEntity) {
        List<X509Certificate> way = new ArrayList<>(List.of(endEntity));
        Set<X500Principal> names = new HashSet<>(Set.of(endEntity.getSubjectX500Principal()));
        boolean goesOn = true;
        while (goesOn) {
            X500Principal wanted = way.getLast().getIssuerX500Principal();
            goesOn = !names.contains(wanted)
                    && authorities.stream()
                            .filter(issuer -> issuer.getSubjectX500Principal().equals(wanted))
                            .findFirst()
                            .map(way::add)
                            .orElse(false);
            names.add(wanted);
        }
        return way;
    }
}
