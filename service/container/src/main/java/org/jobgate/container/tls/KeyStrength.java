// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;

/**
 * How strong a key must be for its certificate to count. One weak key makes the whole chain worthless: an attacker who breaks it can sign anything
 * below it.
 *
 * @param minRsaBits of the modulus
 */
record KeyStrength(int minRsaBits) {

    static final String SETTING = "credentials.minRsaBits";

    /** The least size of the curve's field: P-256. No grid ever used less, so there is no setting. */
    private static final int MIN_CURVE_BITS = 256;

    /** What is wrong with the key of the certificate; empty if it is strong enough. */
    Optional<String> weakness(X509Certificate certificate) {
        return weakness(certificate.getPublicKey())
                .map(what -> "the certificate " + certificate.getSubjectX500Principal() + " has " + what);
    }

    private Optional<String> weakness(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa -> {
                int bits = rsa.getModulus().bitLength();
                yield bits >= minRsaBits
                        ? Optional.empty()
                        : Optional.of("an RSA key of " + bits + " bits; the limit is " + SETTING + " = " + minRsaBits
                                + ". Tools of old grids make proxies with 512 or 1024 bits: have them make "
                                + minRsaBits + ", or let the site lower the limit");
            }
            case ECPublicKey curve -> {
                int bits = curve.getParams().getCurve().getField().getFieldSize();
                yield bits >= MIN_CURVE_BITS
                        ? Optional.empty()
                        : Optional.of("a key on a curve of " + bits + " bits; at least " + MIN_CURVE_BITS
                                + " (P-256) are taken");
            }
            case EdECPublicKey ignored -> Optional.empty();
            // the JDK reads no curve below P-256 into a key of its own
            default ->
                Optional.of("a key of the kind " + key.getAlgorithm() + " that is not taken; RSA, curves of at"
                        + " least " + MIN_CURVE_BITS + " bits (P-256) and EdDSA are");
        };
    }
}
