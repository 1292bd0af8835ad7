// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.doctor.Finding;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of services that decide. */
class CalloutFindingsTest {

    @TempDir
    Path folder;

    private List<Finding> look(String point) throws Exception {
        Path file = Files.writeString(folder.resolve("gate.yaml"), """
                server: { hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust }
                state: { directory: state }
                authorization: { gridMapfile: map }
                decisionPoints: [ %s ]
                lrms: [ { name: Here, adapter: fork } ]
                """.formatted(point));
        return CalloutFindings.of(ConfigurationFile.read(file, Map.of()), Clock.systemUTC());
    }

    private static SSLContext shows(TestPki.Credential credential) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("own", credential.key(), new char[0], credential.chain());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void aServiceThatIsReachedAndBelievedIsWellAndAnotherIsNot() throws Exception {
        TestPki pki = new TestPki("CN=CA,O=Grid");
        TestPki.Credential host = pki.issue("CN=localhost,O=Grid");
        TestPki.write(folder.resolve("cert.pem"), (Object[]) host.chain());
        TestPki.write(folder.resolve("key.pem"), host.key());
        pki.trustIn(folder.resolve("trust"));
        TestPki stranger = new TestPki("CN=Stranger,O=Grid");
        assertThat(look("{ kind: grid-mapfile }")).isEmpty();
        HttpsServer good = server(shows(host));
        HttpsServer bad = server(shows(stranger.issue("CN=localhost,O=Grid")));
        try {
            List<Finding> findings = look(
                    "{ kind: xacml, name: gums, url: 'https://localhost:%d/g' }, { kind: callout, url: 'https://localhost:%d/c' }"
                            .formatted(
                                    good.getAddress().getPort(),
                                    bad.getAddress().getPort()));
            assertThat(findings).extracting(Finding::grade).containsExactly(Finding.Grade.GOOD, Finding.Grade.BAD);
            assertThat(findings.getFirst().what()).contains("gums", "is reached");
            good.stop(0);
            assertThat(look("{ kind: xacml, url: 'https://localhost:%d/g' }"
                                    .formatted(good.getAddress().getPort()))
                            .getFirst()
                            .what())
                    .contains("is not reached", "Everybody who is asked about there is refused");
        } finally {
            good.stop(0);
            bad.stop(0);
        }
    }

    private static HttpsServer server(SSLContext tls) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(405, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
