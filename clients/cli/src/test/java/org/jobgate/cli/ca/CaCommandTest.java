// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the authority makes is judged by OpenSSL and by canl, the library that the server uses. */
class CaCommandTest {
    @TempDir
    Path folder;

    private X509Certificate[] chain(Path file) throws Exception {
        return Credential.read(file, file, () -> new char[0]).chain().toArray(X509Certificate[]::new);
    }

    private ValidationResult canl(Path trust, X509Certificate... chain) {
        OpensslCertChainValidator validator =
                new OpensslCertChainValidator(trust.toString(), NamespaceCheckingMode.EUGRIDPMA_AND_GLOBUS_REQUIRE, -1);
        try {
            return validator.validate(chain);
        } finally {
            validator.dispose();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa", "ecdsa"})
    void canlBelievesHostsUsersAndProxies(String key) throws Exception {
        TrialCertificates made = TrialCertificates.make(folder, key);
        Credential host = Credential.read(made.hostCertificate(), made.hostKey(), () -> new char[0]);
        assertThat(canl(made.trust(), host.chain().getFirst()).toString()).isEqualTo("OK");
        assertThat(canl(made.trust(), chain(made.proxy())).toString()).isEqualTo("OK");
        assertThat(ProxyUtils.getOriginalUserDN(chain(made.proxy())).getName())
                .isEqualTo("CN=Alice Tester,O=Jobgate Trial");
    }

    @Test
    void proxiesOfProxiesStayLimited() throws Exception {
        TrialCertificates made = TrialCertificates.make(folder, "ecdsa");
        Path limited = folder.resolve("limited");
        Path second = folder.resolve("second");
        TrialCertificates.ca(
                "proxy", "--cert", made.proxy().toString(), "--out", limited.toString(), "--limited", "--hours", "2");
        TrialCertificates.ca("proxy", "--cert", limited.toString(), "--out", second.toString(), "--depth", "0");
        assertThat(new ProxyChainInfo(chain(made.proxy())).isLimited()).isFalse();
        assertThat(new ProxyChainInfo(chain(limited)).isLimited()).isTrue();
        assertThat(new ProxyChainInfo(chain(second)).isLimited()).isTrue();
        assertThat(chain(second)).hasSize(4);
        assertThat(canl(made.trust(), chain(second)).toString()).isEqualTo("OK");
        assertThat(chain(second)[0].getNotAfter()).isBeforeOrEqualTo(chain(made.proxy())[0].getNotAfter());
    }

    @Test
    void aProxyEndsWithItsOwnersCertificate() throws Exception {
        TrialCertificates made = TrialCertificates.make(folder, "ecdsa");
        Path proxy = folder.resolve("long");
        TrialCertificates.ca(
                "proxy", "--cert", made.userCertificate().toString(), "--out", proxy.toString(), "--hours", "99999");
        assertThat(chain(proxy)[0].getNotAfter()).isEqualTo(chain(proxy)[1].getNotAfter());
    }

    @Test
    void keysAreForTheirOwnerOnly() throws Exception {
        TrialCertificates made = TrialCertificates.make(folder, "ecdsa");
        for (Path secret : List.of(made.userKey(), made.hostKey(), made.proxy(), folder.resolve("ca/cakey.pem"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aSecondInitChangesNothing() throws Exception {
        TrialCertificates made = TrialCertificates.make(folder, "ecdsa");
        byte[] before = Files.readAllBytes(folder.resolve("ca/cacert.pem"));
        TrialCertificates.ca("init", "--dir", folder.toString());
        assertThat(Files.readAllBytes(folder.resolve("ca/cacert.pem"))).isEqualTo(before);
        assertThat(made.trust()).isDirectory();
    }

    @Test
    void refusesHostNamesThatAreNone() {
        TrialCertificates.ca("init", "--dir", folder.toString(), "--key", "ecdsa");
        assertThatThrownBy(() -> TrialCertificates.ca("host", "--dir", folder.toString(), "two words"))
                .hasMessageContaining("\"two words\" is not a host name");
    }

    @Test
    void opensslBelievesAProxyOfTwoLevels() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no /usr/bin/openssl: SKIPPED, install openssl");
        TrialCertificates made = TrialCertificates.make(folder, "rsa");
        Path second = folder.resolve("second");
        TrialCertificates.ca("proxy", "--cert", made.proxy().toString(), "--out", second.toString());
        for (Path proxy : List.of(made.proxy(), second)) {
            assertThat(run(
                            "/usr/bin/openssl",
                            "verify",
                            "-allow_proxy_certs",
                            "-CApath",
                            made.trust().toString(),
                            "-untrusted",
                            proxy.toString(),
                            proxy.toString()))
                    .isEqualTo(proxy + ": OK");
        }
        assertThat(run(
                        "/usr/bin/openssl",
                        "verify",
                        "-x509_strict",
                        "-purpose",
                        "sslserver",
                        "-CApath",
                        made.trust().toString(),
                        made.hostCertificate().toString()))
                .endsWith("OK");
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return Files.readString(out).strip();
    }
}
