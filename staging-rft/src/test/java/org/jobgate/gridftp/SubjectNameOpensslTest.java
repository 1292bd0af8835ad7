// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subject as openssl writes it means the certificate of which openssl wrote it. */
class SubjectNameOpensslTest {

    /** Attributes of every origin; C and jurisdictionC are codes of countries. */
    private static final List<String> NUMBERS = List.of(
            "2.5.4.6=NL",
            "2.5.4.10=Grid",
            "2.5.4.11=Physics",
            "2.5.4.97=VATNL-12345678",
            "2.5.4.15=Government Entity",
            "1.3.6.1.4.1.311.60.2.1.3=NL",
            "1.3.6.1.4.1.311.60.2.1.2=Utrecht",
            "1.3.6.1.4.1.311.60.2.1.1=Bilthoven",
            "2.5.4.44=III",
            "2.5.4.45=x500",
            "1.2.840.113549.1.9.2=host",
            "1.2.840.113549.1.9.8=10.0.0.1",
            "1.2.840.113549.1.9.1=a@example.org",
            "2.5.4.72=operator",
            "2.5.4.4=Ant",
            "2.5.4.42=Alice",
            "2.5.4.43=A",
            "2.5.4.12=Dr",
            "2.5.4.9=Science Park",
            "2.5.4.17=1098 XG",
            "2.5.4.18=41882",
            "2.5.4.16=Amsterdam",
            "2.5.4.20=5550100",
            "2.5.4.46=q",
            "2.5.4.65=ali",
            "2.5.4.41=Alice Ant",
            "2.5.4.13=a robot",
            "2.5.4.51=13",
            "2.5.4.54=dmd",
            "2.5.4.5=7",
            "2.5.4.8=Noord-Holland",
            "2.5.4.7=Amsterdam",
            "0.9.2342.19200300.100.1.25=org",
            "0.9.2342.19200300.100.1.1=alice",
            "0.9.2342.19200300.100.1.3=alice@example.org",
            "0.9.2342.19200300.100.1.9=gate",
            "0.9.2342.19200300.100.1.6=B12",
            "1.2.643.100.1=1234567890123",
            "1.2.643.100.3=12345678901",
            "2.5.4.3=Alice Ant");

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
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(out, StandardCharsets.UTF_8).strip();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private X509Certificate certificate(String subject) throws Exception {
        Path file = folder.resolve("c.pem");
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
                file.toString());
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** As openssl shows the certificate that was made last. */
    private String shown() throws Exception {
        String line = openssl(
                "x509",
                "-noout",
                "-subject",
                "-nameopt",
                "compat",
                "-in",
                folder.resolve("c.pem").toString());
        return line.substring(line.indexOf('=') + 1).strip();
    }

    @Test
    void whatOpensslWritesMeansItsCertificate() throws Exception {
        X509Certificate certificate = certificate("/" + String.join("/", NUMBERS));
        SubjectName own = SubjectName.of(certificate.getSubjectX500Principal());
        assertThat(SubjectName.parse(shown())).isEqualTo(own);
        assertThat(SubjectName.parse("/" + String.join("/", NUMBERS))).isEqualTo(own);
        assertThat(SubjectName.parse(shown() + "x")).isNotEqualTo(own);
        assertThat(SubjectName.parse(shown().replace("/role=", "/title="))).isNotEqualTo(own);
        String rfc = openssl(
                "x509",
                "-noout",
                "-subject",
                "-nameopt",
                "RFC2253",
                "-in",
                folder.resolve("c.pem").toString());
        assertThat(SubjectName.parse(rfc.substring(rfc.indexOf('=') + 1).strip()))
                .isEqualTo(own);
    }
}
