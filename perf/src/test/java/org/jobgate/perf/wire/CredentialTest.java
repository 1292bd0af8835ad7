// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialTest {

    @TempDir
    static Path directory;

    private static Credential user;
    private static Credential host;

    @BeforeAll
    static void certificates() throws Exception {
        TestCertificates certificates = TestCertificates.create(directory);
        user = certificates.user();
        host = certificates.host();
    }

    @Test
    void aProxyFileHasTheKeyBetweenTheCertificates() throws Exception {
        Path file = directory.resolve("proxy.pem");
        Files.writeString(
                file,
                certificate(user)
                        + TestCertificates.pem("PRIVATE KEY", user.key().getEncoded())
                        + certificate(host));

        Credential read = Credential.read(file);

        assertThat(read.chain())
                .containsExactly(user.chain().getFirst(), host.chain().getFirst());
        assertThat(read.key()).isEqualTo(user.key());
    }

    @Test
    void keysOfOlderProxyToolsAreRead() throws Exception {
        String pem = certificate(user) + TestCertificates.pem("RSA PRIVATE KEY", TestCertificates.pkcs1(user.key()));

        assertThat(Credential.parse(pem, "test").key()).isEqualTo(user.key());
    }

    @Test
    void ellipticCurveKeysAreRead() throws Exception {
        var key = KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate();
        String pem = certificate(user) + TestCertificates.pem("PRIVATE KEY", key.getEncoded());

        assertThat(Credential.parse(pem, "test").key()).isEqualTo(key);
    }

    @Test
    void whatIsMissingIsNamed() throws Exception {
        String certificate = certificate(user);

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> Credential.parse(certificate, "/some/file"))
                .withMessageContaining("/some/file")
                .withMessageContaining("no key");
    }

    @Test
    void aKeyWithAPasswordIsRefused() throws Exception {
        String pem = certificate(user) + TestCertificates.pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> Credential.parse(pem, "test"))
                .withMessageContaining("ENCRYPTED");
    }

    private static String certificate(Credential credential) throws GeneralSecurityException {
        return TestCertificates.pem("CERTIFICATE", credential.chain().getFirst().getEncoded());
    }
}
