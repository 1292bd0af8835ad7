// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jobgate.cli.ca.CaCommand;
import org.jobgate.cli.tls.Credential;
import picocli.CommandLine;

/** An authority, a host, a user and a proxy, made by {@code jobgate ca}. */
public record TrialCertificates(Path dir) {
    public static TrialCertificates make(Path dir, String key) {
        ca("init", "--dir", dir.toString(), "--key", key);
        ca("host", "--dir", dir.toString(), "--key", key);
        ca("user", "--dir", dir.toString(), "--key", key, "Alice Tester");
        TrialCertificates made = new TrialCertificates(dir);
        ca(
                "proxy",
                "--cert",
                made.userCertificate().toString(),
                "--out",
                made.proxy().toString(),
                "--key",
                key);
        return made;
    }

    public static void ca(String... words) {
        CommandLine line = new CommandLine(new CaCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(Writer.nullWriter()));
        List<String> failures = new ArrayList<>();
        line.setExecutionExceptionHandler((e, failed, parsed) -> {
            failures.add(String.valueOf(e.getMessage()));
            return 1;
        });
        if (line.execute(words) != 0) {
            throw new IllegalStateException("ca " + String.join(" ", words) + ": " + failures);
        }
    }

    public Path userCertificate() {
        return dir.resolve("users/alice-tester/usercert.pem");
    }

    public Path userKey() {
        return dir.resolve("users/alice-tester/userkey.pem");
    }

    public Path proxy() {
        return dir.resolve("alice.proxy");
    }

    public Path trust() {
        return dir.resolve("certificates");
    }

    public Path hostCertificate() {
        return dir.resolve("hosts/localhost/hostcert.pem");
    }

    public Path hostKey() {
        return dir.resolve("hosts/localhost/hostkey.pem");
    }

    /** A server's side of TLS that wants a client certificate and takes any. */
    public SSLContext serverContext() throws Exception {
        return serverContext(Credential.read(hostCertificate(), hostKey(), () -> new char[0]));
    }

    /** A server's side of TLS that refuses every client's certificate. */
    public SSLContext refusingContext(CertificateException why) throws Exception {
        return serverContext(Credential.read(hostCertificate(), hostKey(), () -> new char[0]), new NoClient(why));
    }

    public static SSLContext serverContext(Credential identity) throws GeneralSecurityException, java.io.IOException {
        return serverContext(identity, new AnyClient());
    }

    private static SSLContext serverContext(Credential identity, TrustManager clients)
            throws GeneralSecurityException, java.io.IOException {
        char[] password = {};
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, password);
        keys.setKeyEntry("server", identity.key(), password, identity.chain().toArray(Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), new TrustManager[] {clients}, null);
        return context;
    }

    private record NoClient(CertificateException why) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw why;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("this is a server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static final class AnyClient implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("this is a server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
