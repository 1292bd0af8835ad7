// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A CA, a host certificate for localhost and a user's certificate, made with the JDK's own tool. */
public final class TestCertificates {

    private static final String PASSWORD = "not-secret";

    private final Path directory;
    private final KeyStore store;

    private TestCertificates(Path directory, KeyStore store) {
        this.directory = directory;
        this.store = store;
    }

    public static TestCertificates create(Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("keys.p12");
        keytool(file, "ca", "-dname", "CN=Test CA", "-ext", "bc:critical=ca:true");
        keytool(file, "host", "-dname", "CN=localhost", "-signer", "ca", "-ext", "san=dns:localhost");
        keytool(file, "user", "-dname", "CN=Alice Tester", "-signer", "ca");
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        TestCertificates certificates = new TestCertificates(directory, store);
        Files.writeString(
                Files.createDirectories(certificates.trustDirectory()).resolve("ca.pem"),
                pem("CERTIFICATE", store.getCertificate("ca").getEncoded()));
        return certificates;
    }

    private static void keytool(Path store, String alias, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + said);
        }
    }

    public Path trustDirectory() {
        return directory.resolve("certificates");
    }

    public Credential host() throws GeneralSecurityException {
        return credential("host");
    }

    public Credential user() throws GeneralSecurityException {
        return credential("user");
    }

    private Credential credential(String alias) throws GeneralSecurityException {
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate certificate : store.getCertificateChain(alias)) {
            chain.add((X509Certificate) certificate);
        }
        return new Credential(chain.subList(0, 1), (PrivateKey) store.getKey(alias, PASSWORD.toCharArray()));
    }

    /** A store that trusts the CA. */
    KeyStore trusted() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", store.getCertificate("ca"));
        return trusted;
    }

    static String pem(String type, byte[] der) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + type + "-----\n";
    }

    /** The PKCS#1 form within a PKCS#8 RSA key: everything after the 26 bytes of head that a key of this size has. */
    static byte[] pkcs1(PrivateKey key) {
        byte[] pkcs8 = key.getEncoded();
        return Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
    }
}
