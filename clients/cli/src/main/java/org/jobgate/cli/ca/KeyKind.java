// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.List;

/** The kinds of key that are made. RSA is what all grid software can use; ECDSA is cheaper for the server. */
public enum KeyKind {
    RSA("RSA"),
    ECDSA("EC");

    private final String algorithm;

    KeyKind(String algorithm) {
        this.algorithm = algorithm;
    }

    private List<Integer> strengths() {
        return this == RSA ? List.of(2048, 3072, 4096, 8192) : List.of(256, 384, 521);
    }

    KeyPair generate() throws GeneralSecurityException {
        return generate(strengths().getFirst());
    }

    /**
     * A new key pair.
     *
     * @param bits of the modulus (RSA: 2048, 3072, 4096, 8192) or of the NIST curve's field (ECDSA: 256, 384, 521)
     * @throws IllegalArgumentException another number; the sentence says which ones there are
     */
    public KeyPair generate(int bits) throws GeneralSecurityException {
        if (!strengths().contains(bits)) {
            throw new IllegalArgumentException(
                    "A key of " + bits + " bits is not made. For " + this + " choose one of " + strengths() + ".");
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (this == RSA) {
            generator.initialize(bits);
        } else {
            generator.initialize(new ECGenParameterSpec("secp" + bits + "r1"));
        }
        return generator.generateKeyPair();
    }

    /** How many bits there are when nobody says. */
    public int usualBits() {
        return strengths().getFirst();
    }

    static String signatureAlgorithm(PrivateKey key) {
        return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    }
}
