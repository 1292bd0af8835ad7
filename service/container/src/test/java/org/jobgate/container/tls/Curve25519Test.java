// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;

/** It and the JDK's own agree on secrets, used as JSSE uses them. */
class Curve25519Test {

    private static final Curve25519 OURS = new Curve25519();
    private static final String JDKS = "SunEC";

    private static KeyPair pair(KeyPairGenerator generator) throws Exception {
        generator.initialize(NamedParameterSpec.X25519);
        return generator.generateKeyPair();
    }

    /** A key as it comes off the wire, in the JDK's form. */
    private static PublicKey heard(PublicKey key) throws Exception {
        BigInteger u = assertInstanceOf(XECPublicKey.class, key).getU();
        return KeyFactory.getInstance("XDH", JDKS).generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
    }

    private static byte[] agree(KeyAgreement agreement, PrivateKey mine, PublicKey other) throws Exception {
        agreement.init(mine);
        agreement.doPhase(heard(other), true);
        return agreement.generateSecret("TlsPremasterSecret").getEncoded();
    }

    @Test
    void bothEndsOfAHandshakeAgree() throws Exception {
        for (int i = 0; i < 50; i++) {
            KeyPair ours = pair(KeyPairGenerator.getInstance("XDH", OURS));
            KeyPair theirs = pair(KeyPairGenerator.getInstance("XDH", JDKS));
            assertArrayEquals(
                    agree(KeyAgreement.getInstance("XDH", JDKS), theirs.getPrivate(), ours.getPublic()),
                    agree(KeyAgreement.getInstance("XDH", OURS), ours.getPrivate(), theirs.getPublic()));
        }
    }
}
