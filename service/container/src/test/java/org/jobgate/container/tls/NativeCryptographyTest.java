// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Signature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native library signs, and the JDK's own agrees. */
@EnabledOnOs(OS.LINUX)
class NativeCryptographyTest {

    private static final byte[] TEXT = {1, 2, 3};

    private static Provider provider() {
        return NativeCryptography.provider().orElseThrow(() -> new AssertionError("it cannot be loaded here"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHA256withRSA", "SHA1withRSA", "RSASSA-PSS", "SHA256withECDSA"})
    void whatItSignsTheJdkAccepts(String algorithm) throws Exception {
        String kind = algorithm.endsWith("ECDSA") ? "EC" : "RSA";
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind, provider());
        generator.initialize(kind.equals("EC") ? 256 : 2048);
        KeyPair keys = generator.generateKeyPair();
        byte[] signature = signature(Signature.getInstance(algorithm, provider()), keys);
        Signature other = Signature.getInstance(algorithm, kind.equals("EC") ? "SunEC" : "SunRsaSign");
        parameters(other);
        other.initVerify(keys.getPublic());
        other.update(TEXT);
        assertTrue(other.verify(signature));
    }

    private static byte[] signature(Signature signature, KeyPair keys) throws Exception {
        parameters(signature);
        signature.initSign(keys.getPrivate());
        signature.update(TEXT);
        return signature.sign();
    }

    private static void parameters(Signature signature) throws Exception {
        if (signature.getAlgorithm().equals("RSASSA-PSS")) {
            signature.setParameter(new java.security.spec.PSSParameterSpec(
                    "SHA-256", "MGF1", java.security.spec.MGF1ParameterSpec.SHA256, 32, 1));
        }
    }

    @Test
    void itIsTheOneThatWasAskedFor() {
        assertEquals("AmazonCorrettoCryptoProvider", provider().getName());
    }
}
