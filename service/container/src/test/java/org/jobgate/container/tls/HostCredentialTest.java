// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.openssl.jcajce.JcaMiscPEMGenerator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.jobgate.container.config.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HostCredentialTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential RSA = PKI.issue("CN=gate,O=Grid");
    private static final TestPki.Credential EC =
            PKI.issue(new X500Name("O=Grid,CN=gate"), Duration.ofDays(-1), Duration.ofDays(1), "EC");

    private static final int MIN_BITS = 2048;

    @TempDir
    Path folder;

    private HostCredential load(TestPki.Credential credential, Object... keyParts) {
        Path certificate = TestPki.write(folder.resolve("cert.pem"), (Object[]) credential.chain());
        return HostCredential.load(certificate, TestPki.write(folder.resolve("key.pem"), keyParts), MIN_BITS);
    }

    private static PemObject pkcs8(PrivateKey key) throws IOException {
        return new JcaPKCS8Generator(key, null).generate();
    }

    /** As `openssl ecparam -genkey` writes it. */
    private static PemObject sec1(PrivateKey key) throws IOException {
        java.math.BigInteger secret = ((java.security.interfaces.ECPrivateKey) key).getS();
        return new PemObject(
                "EC PRIVATE KEY", new ECPrivateKey(256, secret, SECObjectIdentifiers.secp256r1).getEncoded());
    }

    @Test
    void readsRsaAndEcInEveryUsualForm() throws IOException {
        assertThat(load(RSA, new JcaMiscPEMGenerator(RSA.key())).key()).isEqualTo(RSA.key());
        assertThat(load(RSA, pkcs8(RSA.key())).key()).isEqualTo(RSA.key());
        assertThat(load(EC, sec1(EC.key())).key().getAlgorithm()).startsWith("EC");
        assertThat(load(EC, pkcs8(EC.key())).key().getAlgorithm()).startsWith("EC");
        PemObject parameters = new PemObject("EC PARAMETERS", SECObjectIdentifiers.secp256r1.getEncoded());
        assertThat(load(EC, parameters, sec1(EC.key())).key().getAlgorithm()).startsWith("EC");
    }

    @Test
    void refusesAKeyThatOthersCanRead() throws IOException {
        load(RSA, pkcs8(RSA.key()));
        Path key = folder.resolve("key.pem");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> HostCredential.load(folder.resolve("cert.pem"), key, MIN_BITS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("server.hostKey = " + key + ": can be read or written by others; do: chmod 600 " + key);
    }

    @Test
    void refusesTheKeyOfAnotherCertificate() {
        assertThatThrownBy(() -> load(RSA, pkcs8(PKI.issue("CN=other").key())))
                .hasMessageContaining("is not the key of the certificate");
        assertThatThrownBy(() -> load(RSA, pkcs8(EC.key()))).hasMessageContaining("is not the key of the certificate");
    }

    @Test
    void refusesAnEncryptedKey() {
        assertThatThrownBy(() -> load(
                        RSA,
                        new JcaPKCS8Generator(
                                        RSA.key(),
                                        new JceOpenSSLPKCS8EncryptorBuilder(
                                                        org.bouncycastle.openssl.PKCS8Generator.AES_256_CBC)
                                                .setPassword("secret".toCharArray())
                                                .build())
                                .generate()))
                .hasMessageContaining("is encrypted");
    }

    @Test
    void saysWhatIsMissingOrNoPem() throws IOException {
        Path cert = TestPki.write(folder.resolve("cert.pem"), (Object[]) RSA.chain());
        assertThatThrownBy(() -> HostCredential.load(cert, folder.resolve("none"), MIN_BITS))
                .hasMessage("server.hostKey = " + folder.resolve("none") + ": there is no such file");
        assertThatThrownBy(() -> HostCredential.load(folder.resolve("none"), cert, MIN_BITS))
                .hasMessageStartingWith("server.hostCertificate = ");
        Path junk = Files.writeString(folder.resolve("junk"), "not PEM", java.nio.charset.StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(junk, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(() -> HostCredential.load(cert, junk, MIN_BITS))
                .hasMessageContaining("holds no private key");
        assertThatThrownBy(() -> HostCredential.load(junk, junk, MIN_BITS))
                .hasMessageStartingWith("server.hostCertificate = ");
    }

    /** Whatever stands where a file should: it is named, and nothing hangs. */
    @Test
    @Timeout(300)
    void namesTheFileThatIsNone() throws Exception {
        Path cert = TestPki.write(folder.resolve("cert.pem"), (Object[]) RSA.chain());
        Path key = TestPki.write(folder.resolve("key.pem"), pkcs8(RSA.key()));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path odd = Files.writeString(
                folder.resolve("odd"),
                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIB\n");
        Files.setPosixFilePermissions(odd, PosixFilePermissions.fromString("rw-------"));
        for (Path bad : List.of(pipe, folder, Path.of("/dev/zero"), odd)) {
            assertThatThrownBy(() -> HostCredential.load(bad, key, MIN_BITS))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("server.hostCertificate = " + bad + ": ");
            assertThatThrownBy(() -> HostCredential.load(cert, bad, MIN_BITS))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("server.hostKey = " + bad + ": ");
        }
    }

    @Test
    void refusesAWeakKeyAndSaysTheLimit() throws IOException {
        TestPki.Credential weak =
                PKI.issue(new X500Name("O=Grid,CN=gate"), Duration.ofDays(-1), Duration.ofDays(1), "RSA-1024");
        assertThatThrownBy(() -> load(weak, pkcs8(weak.key())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("server.hostCertificate = ")
                .hasMessageContaining("an RSA key of 1024 bits; the limit is credentials.minRsaBits = 2048");
        assertThat(HostCredential.load(folder.resolve("cert.pem"), folder.resolve("key.pem"), 1024)
                        .key())
                .isEqualTo(weak.key());
    }

    @Test
    void warnsOfACertificateThatIsExpiredOrSoonWillBe() throws IOException {
        TestPki.Credential expired = PKI.issueExpired("CN=gate");
        assertThat(load(expired, pkcs8(expired.key()))
                        .warning(Clock.systemUTC())
                        .orElseThrow())
                .startsWith("The host certificate expired at ");
        assertThat(load(RSA, pkcs8(RSA.key())).warning(Clock.systemUTC()).orElseThrow())
                .startsWith("The host certificate expires at ");
        TestPki.Credential fresh = PKI.issueShort("CN=gate", Duration.ofDays(300));
        assertThat(load(fresh, pkcs8(fresh.key())).warning(Clock.systemUTC())).isEmpty();
    }
}
