// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.globusrun.GlobusrunWs;
import org.jobgate.cli.stub.GramStub;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our commands before a server that refuses their certificate, and before one that is no job service: told at once, tried once. */
class RefusedCertificateTest {
    private static final String REFUSED = "refused your certificate";
    private static final String ISSUER = "issued by /O=Jobgate Trial/CN=Jobgate Trial CA";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final GramStub.Behaviour behaviour = new GramStub.Behaviour();
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void environment() {
        environment.put("HOME", folder.toString());
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
    }

    private GramStub refusing(CertificateException why) throws Exception {
        return new GramStub(certificates.refusingContext(why), behaviour);
    }

    private int submit(GramStub stub, String... words) {
        List<String> all = new ArrayList<>(List.of("-submit", "-F", stub.contact()));
        all.addAll(List.of(words));
        return new GlobusrunWs(environment, Clock.systemUTC(), stream(out), stream(errors))
                .run(all.toArray(String[]::new));
    }

    private int run(String name, String... words) {
        return new Companions(environment, new ByteArrayInputStream(new byte[0]), stream(out), stream(errors))
                .run(name, words);
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @Test
    void saysAtOnceWhoseCertificateWasRefusedAndThatNothingWasCreated() throws Exception {
        try (GramStub stub = refusing(new CertificateException("no trusted authority"))) {
            assertThat(submit(stub, "-c", "/bin/true")).isEqualTo(ExitStatus.CREDENTIAL.code());
            assertThat(errors())
                    .contains(REFUSED, "/O=Jobgate Trial/CN=Alice Tester/CN=", ISSUER, "Nothing was created.", "Ask")
                    .doesNotContain("Broken pipe", "is not known", "Exception");
            assertThat(stub.connections()).isEqualTo(1);
        }
    }

    @Test
    void readsTheAlertAlsoWhenTheServerClosesWhileALongRequestIsWritten() throws Exception {
        Path job = folder.resolve("job.xml");
        Files.writeString(
                job, "<job><executable>/bin/true</executable><argument>" + "x".repeat(8_000_000) + "</argument></job>");
        try (GramStub stub = refusing(new CertificateException("no trusted authority"))) {
            assertThat(submit(stub, "-f", job.toString())).isEqualTo(ExitStatus.CREDENTIAL.code());
            assertThat(errors()).contains(REFUSED, ISSUER, "Nothing was created.");
            assertThat(stub.connections()).isEqualTo(1);
        }
    }

    @Test
    void readsWhatOpensslSaysOfAnAuthorityThatItDoesNotTrust() throws Exception {
        Path openssl = Path.of("/usr/bin/openssl");
        assumeTrue(Files.isExecutable(openssl), "no /usr/bin/openssl: SKIPPED, install openssl");
        TrialCertificates.ca("init", "--dir", folder.resolve("o").toString(), "--subject", "O=Other,CN=Other CA");
        Process server = new ProcessBuilder(
                        openssl.toString(),
                        "s_server",
                        "-accept",
                        "127.0.0.1:0",
                        "-cert",
                        certificates.hostCertificate().toString(),
                        "-key",
                        certificates.hostKey().toString(),
                        "-Verify",
                        "5",
                        "-verify_return_error",
                        "-CApath",
                        folder.resolve("o/certificates").toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = server.inputReader()) {
            String line = said.readLine();
            while (!line.startsWith("ACCEPT")) {
                line = said.readLine();
            }
            String service = "https://localhost:" + line.replaceFirst(".*:", "") + "/x";
            assertThat(run("wsrf-destroy", "-s", service)).isEqualTo(ExitStatus.CREDENTIAL.code());
            assertThat(errors()).contains(REFUSED, ISSUER, "does not trust that authority (TLS alert unknown_ca)");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void tellsTheSameOfTls12() throws Exception {
        SSLContext context = certificates.refusingContext(new CertificateException("no trusted authority"));
        try (GramStub stub = new GramStub(context, behaviour)) {
            stub.speakOnly("TLSv1.2");
            assertThat(submit(stub, "-c", "/bin/true")).isEqualTo(ExitStatus.CREDENTIAL.code());
            assertThat(errors()).contains(REFUSED, ISSUER, "Nothing was created.");
            assertThat(stub.connections()).isEqualTo(1);
        }
    }

    @Test
    void allCommandsTellIt() throws Exception {
        try (GramStub stub = refusing(new CertificateException("no trusted authority"))) {
            String service = "https://" + stub.contact() + "/wsrf/services/ManagedExecutableJobService";
            String port = stub.contact().replaceFirst(".*:", "");
            Path transfer = Files.writeString(folder.resolve("t"), "gsiftp://h/a gsiftp://h/x\n");
            Path description =
                    Files.writeString(folder.resolve("d.xml"), "<job><executable>/bin/true</executable></job>");
            Map<String, String[]> calls = Map.of(
                    "wsrf-get-property", new String[] {"-s", service, "{x}y"},
                    "wsrf-destroy", new String[] {"-s", service},
                    "globus-job-run-ws", new String[] {stub.contact(), "/bin/true"},
                    "globus-job-submit-ws", new String[] {stub.contact(), "/bin/true"},
                    "globus-job-list-ws", new String[] {"-F", stub.contact()},
                    "globus-job-submit-many-ws",
                            new String[] {"-F", stub.contact(), "-f", description.toString(), "-n", "2"},
                    "globus-credential-delegate", new String[] {"-h", "localhost", "-p", port, folder + "/epr"},
                    "rft", new String[] {"-h", "localhost", "-r", port, "-f", transfer.toString()});
            calls.forEach((name, words) -> {
                errors.reset();
                assertThat(run(name, words)).as(name + errors()).isEqualTo(ExitStatus.CREDENTIAL.code());
                assertThat(errors()).as(name).startsWith(name + ": ").contains(REFUSED, ISSUER);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"404 Not Found", "403 Forbidden", "400 Bad Request", "200 OK", "302 Found"})
    void anAnswerOfAnotherKindOfServerIsFinal(String status) throws Exception {
        behaviour.foreignAnswer = "HTTP/1.1 " + status
                + "\r\nContent-Type: text/html\r\nContent-Length: 37\r\n\r\n<html><body><h1>None</h1></body></htm";
        try (GramStub stub = new GramStub(certificates.serverContext(), behaviour)) {
            assertThat(submit(stub, "-c", "/bin/true")).isEqualTo(ExitStatus.REFUSED.code());
            assertThat(errors())
                    .contains("answered with HTTP status " + status, "Nothing was created.")
                    .doesNotContain("<");
            assertThat(stub.requests()).hasSize(1);
        }
    }

    @Test
    void saysThatItTriesAgainWhileTheServerHasAProblem() throws Exception {
        behaviour.foreignAnswer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
        try (GramStub stub = new GramStub(certificates.serverContext(), behaviour)) {
            Thread mended = Thread.ofPlatform().start(() -> {
                try {
                    while (!errors().contains("tried again")) {
                        Thread.sleep(20);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                behaviour.foreignAnswer = null;
            });
            assertThat(submit(stub, "-c", "/bin/true")).isZero();
            mended.interrupt();
            mended.join();
            assertThat(errors()).contains("HTTP status 503", "It is tried again", "answers again");
        }
    }
}
