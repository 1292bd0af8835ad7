// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;

/** The kinds of key that are made. RSA is what all grid software can use; ECDSA is cheaper for the server. */
public enum KeyKind {
    RSA,
    ECDSA;

    private static final int RSA_BITS = 2048;

    KeyPair generate() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(this == RSA ? "RSA" : "EC");
        if (this == RSA) {
            generator.initialize(RSA_BITS);
        } else {
            generator.initialize(new ECGenParameterSpec("secp256r1"));
        }
        return generator.generateKeyPair();
    }

    static String signatureAlgorithm(PrivateKey key) {
        return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    }
}
