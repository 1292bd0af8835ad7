// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.List;
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

    /** RFC 8446, 7.4.2: a point of small order gives a secret that everybody knows. */
    @Test
    void pointsOfSmallOrderAreRefused() throws Exception {
        KeyAgreement agreement = KeyAgreement.getInstance("XDH", OURS);
        agreement.init(pair(KeyPairGenerator.getInstance("XDH", OURS)).getPrivate());
        for (BigInteger u : List.of(BigInteger.ZERO, BigInteger.ONE)) {
            PublicKey small = KeyFactory.getInstance("XDH", JDKS)
                    .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
            assertThrows(InvalidKeyException.class, () -> agreement.doPhase(small, true));
        }
    }

    @Test
    void theOtherCurveAndOtherKeysAreLeftToTheJdk() throws Exception {
        KeyPairGenerator ours = KeyPairGenerator.getInstance("XDH", OURS);
        assertThrows(InvalidAlgorithmParameterException.class, () -> ours.initialize(NamedParameterSpec.X448));
        KeyPair theirs = pair(KeyPairGenerator.getInstance("XDH", JDKS));
        KeyAgreement agreement = KeyAgreement.getInstance("XDH", OURS);
        assertThrows(InvalidKeyException.class, () -> agreement.init(theirs.getPrivate()));
        agreement.init(pair(ours).getPrivate());
        KeyPairGenerator large = KeyPairGenerator.getInstance("XDH", JDKS);
        large.initialize(NamedParameterSpec.X448);
        assertThrows(
                InvalidKeyException.class,
                () -> agreement.doPhase(large.generateKeyPair().getPublic(), true));
    }
}
