// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which keys count. That every door asks: NegativeCredentialsTest, HostCredentialTest. */
class KeyStrengthTest {

    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final KeyStrength USUAL = new KeyStrength(2048);

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private static X509Certificate certificate(KeyPair pair, String algorithm, Provider reader) throws Exception {
        Instant now = Instant.now();
        X500Name name = new X500Name("CN=x");
        return new JcaX509CertificateConverter()
                .setProvider(reader)
                .getCertificate(new JcaX509v3CertificateBuilder(
                                name,
                                BigInteger.ONE,
                                Date.from(now),
                                Date.from(now.plusSeconds(60)),
                                name,
                                pair.getPublic())
                        .build(new JcaContentSignerBuilder(algorithm)
                                .setProvider(BOUNCY_CASTLE)
                                .build(pair.getPrivate())));
    }

    private static KeyPair rsa(int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private static KeyPair curve(String name) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", BOUNCY_CASTLE);
        generator.initialize(new ECGenParameterSpec(name));
        return generator.generateKeyPair();
    }

    private static Provider jdk() {
        return java.security.Security.getProvider("SUN");
    }

    @ParameterizedTest
    @CsvSource({"512, 2048, false", "1024, 2048, false", "2047, 2048, false", "2048, 2048, true", "1024, 1024, true"})
    void rsaKeysMustHaveAsManyBitsAsTheSiteSays(int bits, int limit, boolean strong) throws Exception {
        assertThat(new KeyStrength(limit)
                        .weakness(certificate(rsa(bits), "SHA256withRSA", jdk()))
                        .isEmpty())
                .isEqualTo(strong);
    }

    @ParameterizedTest
    @CsvSource({"secp192r1, false", "secp224r1, false", "secp256r1, true", "secp384r1, true"})
    void curvesMustHave256BitsWhateverReadsThem(String curve, boolean strong) throws Exception {
        KeyPair pair = curve(curve);
        for (Provider reader : new Provider[] {BOUNCY_CASTLE, jdk()}) {
            assertThat(USUAL.weakness(certificate(pair, "SHA256withECDSA", reader))
                            .isEmpty())
                    .as(reader.getName())
                    .isEqualTo(strong);
        }
    }

    @Test
    void edwardsCurvesAreTakenAndDsaIsNot() throws Exception {
        KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        assertThat(USUAL.weakness(certificate(edwards, "Ed25519", jdk()))).isEmpty();
        KeyPairGenerator dsa = KeyPairGenerator.getInstance("DSA");
        dsa.initialize(2048);
        assertThat(USUAL.weakness(certificate(dsa.generateKeyPair(), "SHA256withDSA", jdk())))
                .hasValueSatisfying(what -> assertThat(what).contains("DSA", "not taken"));
    }

    @Test
    void whatIsWeakIsToldWithTheLimitAndWhatToDo() throws Exception {
        assertThat(USUAL.weakness(certificate(rsa(1024), "SHA256withRSA", jdk())))
                .hasValueSatisfying(what -> assertThat(what)
                        .contains(
                                "the certificate CN=x has an RSA key of 1024 bits",
                                "credentials.minRsaBits = 2048",
                                "old grids",
                                "lower the limit"));
    }
}
