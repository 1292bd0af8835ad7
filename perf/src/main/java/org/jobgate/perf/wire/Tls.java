// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS with a client credential, trusting a directory of CA certificates as grid tools lay it out. */
public final class Tls {

    /** The hash-named file that OpenSSL looks up; {@code *.pem} beside it is the same certificate again. */
    private static final String CA_FILES = "*.{pem,0,1,2,crt}";

    private Tls() {}

    /** A context that shows the credential and trusts every CA certificate in the directory. */
    public static SSLContext context(Credential credential, Path trustDirectory)
            throws IOException, GeneralSecurityException {
        return context(credential, trustStore(trustDirectory));
    }

    static SSLContext context(Credential credential, KeyStore trusted) throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {credential.keyManager()}, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore trustStore(Path directory) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, CA_FILES)) {
            for (Path file : files) {
                int place = 0;
                for (Certificate certificate : certificates(file)) {
                    store.setCertificateEntry(file.getFileName() + "-" + place++, certificate);
                }
            }
        }
        if (store.size() == 0) {
            throw new GeneralSecurityException("no CA certificate in " + directory + " (looked for " + CA_FILES + ")");
        }
        return store;
    }

    private static Iterable<? extends Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
    }
}
