// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is signed by hand, read by the library that servers use. */
class ProxySignerTest {
    private final ProxySigner signer = new ProxySigner(Clock.systemUTC(), new Random(1));

    private static KeyPair keys(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("RSA") ? 1024 : 256);
        return generator.generateKeyPair();
    }

    private static Credential user(String algorithm) throws Exception {
        KeyPair pair = keys(algorithm);
        X500Name name = new X500Name("O=Test,CN=Alice");
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                name,
                                BigInteger.TEN,
                                Date.from(Instant.now().minusSeconds(600)),
                                Date.from(Instant.now().plus(Duration.ofDays(1))),
                                name,
                                pair.getPublic())
                        .build(new JcaContentSignerBuilder(
                                        algorithm.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA")
                                .build(pair.getPrivate())));
        return new Credential(Path.of("x"), List.of(certificate), pair.getPrivate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aProxyIsSignedOverSomebodysKey(String algorithm) throws Exception {
        Credential user = user(algorithm);
        KeyPair theirs = keys("RSA");
        List<X509Certificate> chain = signer.sign(user, theirs.getPublic(), Duration.ofHours(1), false);
        X509Certificate proxy = chain.getFirst();
        proxy.verify(user.chain().getFirst().getPublicKey());
        assertThat(proxy.getPublicKey()).isEqualTo(theirs.getPublic());
        assertThat(ProxyUtils.isProxy(proxy)).isTrue();
        assertThat(new ProxyChainInfo(chain.toArray(X509Certificate[]::new)).isLimited())
                .isFalse();
        assertThat(ProxySigner.newestOf(ProxySigner.pkiPath(chain))).isEqualTo(proxy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void whatIsMadeFromALimitedProxyIsLimited(String algorithm) throws Exception {
        KeyPair middle = keys(algorithm);
        List<X509Certificate> limited = signer.sign(user(algorithm), middle.getPublic(), Duration.ofDays(9), true);
        assertThat(limited.getFirst().getNotAfter()).isEqualTo(limited.getLast().getNotAfter());
        Credential credential = new Credential(Path.of("x"), limited, middle.getPrivate());
        List<X509Certificate> chain = signer.sign(credential, keys("RSA").getPublic(), Duration.ofHours(1), false);
        assertThat(chain).hasSize(3);
        assertThat(ProxySigner.isLimited(chain.getFirst())).isTrue();
        assertThat(new ProxyChainInfo(chain.toArray(X509Certificate[]::new)).isLimited())
                .isTrue();
    }
}
