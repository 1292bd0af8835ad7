// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerNameTest {
    @TempDir
    Path folder;

    private X509Certificate host(String... names) throws Exception {
        TrialCertificates.ca("init", "--dir", folder.toString(), "--key", "ecdsa");
        String[] words = new String[names.length + 7];
        String[] fixed = {"host", "--dir", folder.toString(), "--key", "ecdsa", "--out", folder.toString()};
        System.arraycopy(fixed, 0, words, 0, fixed.length);
        System.arraycopy(names, 0, words, fixed.length, names.length);
        TrialCertificates.ca(words);
        return Credential.read(folder.resolve("hostcert.pem"), folder.resolve("hostkey.pem"), () -> new char[0])
                .chain()
                .getFirst();
    }

    private X509Certificate named(String name) throws Exception {
        TrialCertificates.ca("init", "--dir", folder.toString(), "--key", "ecdsa");
        TrialCertificates.ca("user", "--dir", folder.toString(), "--key", "ecdsa", "--out", folder.toString(), name);
        return Credential.read(folder.resolve("usercert.pem"), folder.resolve("userkey.pem"), () -> new char[0])
                .chain()
                .getFirst();
    }

    @Test
    void believesAlternativeNamesAndAddresses() throws Exception {
        X509Certificate certificate = host("ce.example.org", "*.cluster.example.org", "192.0.2.7");
        ServerName.Host expected = new ServerName.Host();
        assertThat(expected.matches(certificate, "CE.example.org")).isTrue();
        assertThat(expected.matches(certificate, "n1.cluster.example.org")).isTrue();
        assertThat(expected.matches(certificate, "192.0.2.7")).isTrue();
        assertThat(expected.matches(certificate, "::1")).isTrue();
        assertThat(expected.matches(certificate, "a.b.cluster.example.org")).isFalse();
        assertThat(expected.matches(certificate, "cluster.example.org")).isFalse();
        assertThat(expected.matches(certificate, "example.org")).isFalse();
        assertThat(expected.matches(certificate, "192.0.2.8")).isFalse();
    }

    @Test
    void believesGridHostNames() throws Exception {
        X509Certificate certificate = named("host/ce.example.org");
        assertThat(new ServerName.Host().matches(certificate, "ce.example.org")).isTrue();
        assertThat(new ServerName.Host().matches(certificate, "other.example.org"))
                .isFalse();
        assertThat(new ServerName.Host().matches(named("ldap/ce.example.org"), "ce.example.org"))
                .isFalse();
    }

    @Test
    void believesExactlyTheSubjectAskedFor() throws Exception {
        X509Certificate certificate = named("Alice");
        assertThat(new ServerName.Subject("/O=Jobgate Trial/CN=Alice").matches(certificate, "x"))
                .isTrue();
        assertThat(new ServerName.Subject("/O=Jobgate Trial/CN=Alic").matches(certificate, "x"))
                .isFalse();
    }
}
