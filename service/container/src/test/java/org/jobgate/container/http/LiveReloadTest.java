// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.jobgate.container.tls.Forge;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trust directory of a running service with an ECDSA host key: authorities and revocation lists come, and nobody else notices. */
class LiveReloadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder = Path.of("");

    private static Forge.Made authority(String name) {
        return Forge.authority(name, null).selfSigned();
    }

    private Path trusted(Forge.Made authority, String ending) {
        String hash =
                OpensslTruststoreHelper.getOpenSSLCAHash(authority.certificate().getSubjectX500Principal(), true);
        return folder.resolve("trust").resolve(hash + ending);
    }

    /** As fetch-crl does it: beside, then in its place. */
    private static void put(Path file, Object content) throws IOException {
        Path beside = file.resolveSibling("new");
        TestPki.write(beside, content);
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String ask(TrialGate gate, Forge.Made caller) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + gate.ports().getFirst() + TrialGate.WHO))
                .timeout(PATIENCE)
                .header("Content-Type", "text/xml")
                .POST(HttpRequest.BodyPublishers.ofString(TrialGate.ASK))
                .build();
        try (HttpClient client = TrialGate.client(caller.credential())) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    @Test
    void authoritiesAndRevocationsAreTakenUpWhileTheServiceRuns() throws Exception {
        Forge.Made first = authority("CN=First,O=Grid");
        Forge.Made second = authority("CN=Second,O=Grid");
        Forge.Made alice = Forge.user("CN=Alice,O=Grid").signedBy(first);
        Forge.Made bob = Forge.user("CN=Bob,O=Grid").signedBy(second);
        Files.createDirectories(folder.resolve("trust"));
        put(trusted(first, ".0"), first.certificate());
        Forge.Made host = Forge.user("CN=localhost,O=Grid").signedBy(first);
        try (TrialGate gate = TrialGate.start(folder, host.credential(), """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 2s, trustReload: 1s, validationCache: 0s, sessionLifetime: 1s }
                """)) {
            assertThat(hostKey(gate)).isEqualTo("EC");
            assertThat(ask(gate, alice)).contains("/O=Grid/CN=Alice");
            assertThatThrownBy(() -> ask(gate, bob)).isInstanceOf(IOException.class);

            put(trusted(second, ".0"), second.certificate());
            Awaitility.await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
                assertThat(ask(gate, bob)).contains("/O=Grid/CN=Bob");
            });
            assertThat(ask(gate, alice)).contains("/O=Grid/CN=Alice");

            put(trusted(second, ".r0"), Forge.revoked(second, bob.certificate()));
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(ask(gate, alice)).contains("/O=Grid/CN=Alice");
                assertThatThrownBy(() -> ask(gate, bob)).isInstanceOf(IOException.class);
            });
        }
    }

    private static String hostKey(TrialGate gate) throws IOException {
        try (SSLSocket socket = (SSLSocket) TestPki.client(null)
                .getSocketFactory()
                .createSocket("localhost", gate.ports().getFirst())) {
            socket.startHandshake();
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getPublicKey().getAlgorithm();
        }
    }
}
