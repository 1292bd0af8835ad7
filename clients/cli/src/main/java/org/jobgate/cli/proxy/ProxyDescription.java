// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jobgate.cli.ca.ProxyInformation;
import org.jobgate.cli.ca.ProxyKind;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.SlashName;

/**
 * What there is to tell of a proxy file.
 *
 * @param path where it is
 * @param chain its certificates, the newest first
 * @param voms what VOMS servers said of its owner
 */
record ProxyDescription(Path path, List<X509Certificate> chain, List<VomsExtension> voms) {
    private static final String DRAFT = "1.3.6.1.4.1.3536.1.222";

    ProxyDescription {
        chain = List.copyOf(chain);
        voms = List.copyOf(voms);
    }

    static ProxyDescription of(Path path, List<X509Certificate> chain) {
        return new ProxyDescription(path, chain, VomsExtension.of(chain));
    }

    private X509Certificate newest() {
        return chain.getFirst();
    }

    String subject() {
        return SlashName.of(newest().getSubjectX500Principal());
    }

    String issuer() {
        return SlashName.of(newest().getIssuerX500Principal());
    }

    /** The person behind the proxies; an independent proxy is nobody but itself. */
    String identity() {
        return SlashName.of(chain.stream()
                .filter(certificate -> !Credential.isProxy(certificate) || isIndependent(certificate))
                .findFirst()
                .orElse(chain.getLast())
                .getSubjectX500Principal());
    }

    private static boolean isIndependent(X509Certificate certificate) {
        return ProxyInformation.of(certificate)
                .map(information -> information.language() == ProxyKind.INDEPENDENT)
                .orElse(false);
    }

    String type() {
        Optional<ProxyInformation> information = ProxyInformation.of(newest());
        if (information.isPresent()) {
            ProxyKind kind = information.get().language();
            return kind == null ? "proxy with another policy (RFC 3820)" : kind.description();
        }
        if (!Credential.isProxy(newest())) {
            return "no proxy: an end entity's certificate";
        }
        if (newest().getExtensionValue(DRAFT) != null) {
            return "proxy of the GSI-3 draft";
        }
        return subject().endsWith("/CN=limited proxy") ? "limited proxy (legacy)" : "full proxy (legacy)";
    }

    /** In bits, of the modulus or of the curve's field; 0 for another kind of key. */
    int bits() {
        PublicKey key = newest().getPublicKey();
        return switch (key) {
            case RSAPublicKey rsa -> rsa.getModulus().bitLength();
            case ECPublicKey ec -> ec.getParams().getCurve().getField().getFieldSize();
            default -> 0;
        };
    }

    String strength() {
        return bits() + " bits " + newest().getPublicKey().getAlgorithm();
    }

    /** When the first certificate of the chain ends. */
    Instant end() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** Nothing is left of what has expired. */
    Duration left(Instant now) {
        return now.isBefore(end()) ? Duration.between(now, end()) : Duration.ZERO;
    }
}
