// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxySignerTest {

    @TempDir
    static Path directory;

    private static Credential user;
    private static KeyPair theirs;

    @BeforeAll
    static void certificates() throws Exception {
        user = TestCertificates.create(directory).user();
        theirs = KeyPairGenerator.getInstance("EC").generateKeyPair();
    }

    private static List<X509Certificate> signed() throws Exception {
        return new ProxySigner(user, Clock.systemUTC()).sign(theirs.getPublic(), Duration.ofHours(1));
    }

    @Test
    void aProxyIsSignedByItsIssuerAndBearsItsName() throws Exception {
        List<X509Certificate> chain = signed();
        X509Certificate proxy = chain.getFirst();
        X509Certificate issuer = user.chain().getFirst();

        proxy.verify(issuer.getPublicKey());
        assertThat(proxy.getPublicKey()).isEqualTo(theirs.getPublic());
        assertThat(proxy.getIssuerX500Principal()).isEqualTo(issuer.getSubjectX500Principal());
        assertThat(proxy.getSubjectX500Principal().getName())
                .endsWith(issuer.getSubjectX500Principal().getName())
                .startsWith("CN=");
        assertThat(proxy.getCriticalExtensionOIDs()).contains("1.3.6.1.5.5.7.1.14", "2.5.29.15");
        assertThat(proxy.getNotAfter().toInstant())
                .isBefore(Instant.now().plus(Duration.ofMinutes(61)))
                .isBeforeOrEqualTo(issuer.getNotAfter().toInstant());
        assertThat(chain.subList(1, chain.size())).isEqualTo(user.chain());
    }

    @Test
    void theNewestStandsLastOnTheWireAndIsFoundAgain() throws Exception {
        List<X509Certificate> chain = signed();
        String path = ProxySigner.pkiPath(chain);

        assertThat(ProxySigner.newestOf(path)).isEqualTo(chain.getFirst());
        byte[] der = java.util.Base64.getDecoder().decode(path);
        assertThat(CertificateFactory.getInstance("X.509")
                        .generateCertPath(new ByteArrayInputStream(der), "PkiPath")
                        .getCertificates())
                .isEqualTo(chain);
    }

    @Test
    void aChainInPemIsReadAgain() throws Exception {
        List<X509Certificate> chain = signed();

        assertThat(CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(
                                ProxySigner.pem(chain).getBytes(java.nio.charset.StandardCharsets.US_ASCII))))
                .isEqualTo(chain);
    }

    @Test
    void theKeyOfARequestIsFoundAndOtherTextIsAnError() throws Exception {
        var request = new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=x"), theirs.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(theirs.getPrivate()));
        String pem = TestCertificates.pem("CERTIFICATE REQUEST", request.getEncoded());

        assertThat(ProxySigner.keyOf(pem)).isEqualTo(theirs.getPublic());
        assertThatIOException().isThrownBy(() -> ProxySigner.keyOf("no")).withMessageContaining("no");
    }
}
