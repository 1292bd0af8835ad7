// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What OpenSSL writes must be read, and names must hash as OpenSSL hashes them. */
class OpensslTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void openssl() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no /usr/bin/openssl: SKIPPED, install openssl");
    }

    private String openssl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/openssl"));
        command.addAll(List.of(words));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        return Files.readString(out).strip();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/C=DE/O=Grid/CN=Alice Tester",
                "/O=  Two   Spaces  /CN= UPPER lower ",
                "/O=Universität/CN=日本 Ä",
                "/DC=org/DC=example/emailAddress=A@Example.org/CN=x"
            })
    void hashesNamesAsOpensslDoes(String subject) throws Exception {
        Path certificate = folder.resolve("c.pem");
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-utf8",
                "-subj",
                subject,
                "-keyout",
                folder.resolve("k.pem").toString(),
                "-out",
                certificate.toString());
        var name = Credential.certificates(certificate, Credential.read(certificate))
                .getFirst()
                .getSubjectX500Principal();
        assertThat(NameHash.of(name))
                .isEqualTo(openssl("x509", "-noout", "-subject_hash", "-in", certificate.toString()));
        assertThat(NameHash.oldOf(name))
                .isEqualTo(openssl("x509", "-noout", "-subject_hash_old", "-in", certificate.toString()));
    }

    @ParameterizedTest
    @CsvSource({
        "RSA, genrsa -traditional 2048",
        "RSA, genrsa 2048",
        "EC,  ecparam -name prime256v1 -genkey -noout",
        "EC,  genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384",
        "RSA, genrsa -aes256 -passout pass:secret 2048",
        "RSA, genrsa -traditional -des3 -passout pass:secret 2048",
        "RSA, genrsa -traditional -aes128 -passout pass:secret 2048",
    })
    void readsKeysInEveryFormThatOpensslWrites(String algorithm, String command) throws Exception {
        Path key = folder.resolve("key.pem");
        openssl(command.split(" "));
        Files.copy(folder.resolve("out"), key);
        Pem.Section section = Pem.sections(Files.readString(key)).stream()
                .filter(PrivateKeys::isKey)
                .findFirst()
                .orElseThrow();
        assertThat(PrivateKeys.read(section, "secret"::toCharArray).getAlgorithm())
                .isEqualTo(algorithm);
        if (command.contains("pass:")) {
            assertThatThrownBy(() -> PrivateKeys.read(section, "wrong"::toCharArray))
                    .isInstanceOfAny(java.security.GeneralSecurityException.class, IllegalArgumentException.class);
        }
    }

    @Test
    void refusesAKeyThatOthersCanRead() throws Exception {
        Path key = folder.resolve("key.pem");
        openssl(
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=x",
                "-keyout",
                key.toString(),
                "-out",
                folder.resolve("c.pem").toString());
        key.toFile().setReadable(true, false);
        assertThatThrownBy(() -> Credential.read(folder.resolve("c.pem"), key, () -> new char[0]))
                .isInstanceOf(CredentialException.class)
                .hasMessageContaining("chmod 600 " + key);
    }
}
