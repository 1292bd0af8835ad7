// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;

/** Writes certificates and keys. A file is either the old one or the new one whole; keys are 0600 from their first byte on. */
public final class PemFiles {
    private static final int LINE_LENGTH = 64;
    private static final Set<PosixFilePermission> SECRET = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rw-r--r--");

    private PemFiles() {}

    static void writeCertificates(Path file, List<X509Certificate> certificates) throws IOException {
        write(file, text(certificates), PUBLIC);
    }

    /** PKCS#8, which everything in use reads. */
    static void writeKey(Path file, PrivateKey key) throws IOException {
        write(file, section("PRIVATE KEY", key.getEncoded()), SECRET);
    }

    /** In the order that Globus tools expect: proxy certificate, its key, then the issuers. RSA keys as PKCS#1, for jGlobus. */
    public static void writeProxy(Path file, Issued proxy) throws IOException {
        String text = text(proxy.chain().subList(0, 1))
                + proxyKey(proxy.key())
                + text(proxy.chain().subList(1, proxy.chain().size()));
        write(file, text, SECRET);
    }

    private static String proxyKey(PrivateKey key) throws IOException {
        if (!key.getAlgorithm().equals("RSA")) {
            return section("PRIVATE KEY", key.getEncoded());
        }
        byte[] bare = PrivateKeyInfo.getInstance(key.getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();
        return section("RSA PRIVATE KEY", bare);
    }

    static void writeText(Path file, String text) throws IOException {
        write(file, text, PUBLIC);
    }

    private static String text(List<X509Certificate> certificates) {
        StringBuilder out = new StringBuilder();
        try {
            for (X509Certificate certificate : certificates) {
                out.append(section("CERTIFICATE", certificate.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new UncheckedIOException(new IOException("a certificate cannot be written", e));
        }
        return out.toString();
    }

    private static String section(String type, byte[] data) {
        String lines = Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'}).encodeToString(data);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }

    private static void write(Path file, String text, Set<PosixFilePermission> permissions) throws IOException {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(file + " is not a file name");
        }
        Files.createDirectories(folder);
        // created 0600 by the JDK; opened to others only when whole
        Path beside = Files.createTempFile(folder, ".jobgate", ".pem");
        try {
            Files.write(beside, text.getBytes(StandardCharsets.US_ASCII));
            Files.setPosixFilePermissions(beside, permissions);
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
