// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;

/** One rehearsal: an authority of its own that lives for a day in a folder, and a service that believes it. */
record Rehearsal(Path folder, RehearsalService service) implements AutoCloseable {
    private static final char[] NO_PASSWORD = new char[0];

    Rehearsal {
        requireNonNull(folder, "folder is null");
        requireNonNull(service, "service is null");
    }

    static Rehearsal prepare(Path folder) throws IOException {
        TrialCertificates.make(folder);
        Files.writeString(folder.resolve(RehearsedCommands.JOB), """
                <job><executable>/bin/true</executable><fileStageIn><transfer><sourceUrl>gsiftp://localhost/a</sourceUrl>
                <destinationUrl>file:///tmp/b</destinationUrl></transfer></fileStageIn></job>
                """);
        Files.writeString(folder.resolve(RehearsedCommands.TRANSFERS), "gsiftp://localhost/a gsiftp://localhost/b\n");
        try {
            Credential host = host(folder);
            byte[] path = CertificateFactory.getInstance("X.509")
                    .generateCertPath(host.chain())
                    .getEncoded("PkiPath");
            return new Rehearsal(folder, new RehearsalService(serverContext(host), path));
        } catch (GeneralSecurityException | CredentialException e) {
            throw new IOException("The rehearsal's TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static Credential host(Path folder) throws IOException, CredentialException {
        return Credential.read(folder.resolve("hostcert.pem"), folder.resolve("hostkey.pem"), () -> NO_PASSWORD);
    }

    private static SSLContext serverContext(Credential host) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, NO_PASSWORD);
        keys.setKeyEntry("host", host.key(), NO_PASSWORD, host.chain().toArray(Certificate[]::new));
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        keyManagers.init(keys, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
        return context;
    }

    List<String> words() {
        return List.of("localhost:" + service.port(), folder.toString());
    }

    Map<String, String> environment() {
        return Map.of(
                "X509_USER_PROXY", folder.resolve("proxy.pem").toString(),
                "X509_CERT_DIR", folder.resolve("certificates").toString());
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
