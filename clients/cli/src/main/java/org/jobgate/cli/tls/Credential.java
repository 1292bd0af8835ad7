// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jobgate.cli.text.Sentence;

/**
 * Who we are: a certificate chain, ours first, and the private key.
 *
 * @param source the file, for messages
 */
public record Credential(Path source, List<X509Certificate> chain, PrivateKey key) {
    /** A credential file of more bytes is refused. */
    public static final long FILE_BYTES_MAX = 1 << 20;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    public Credential {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("the chain is empty");
        }
    }

    /**
     * Reads certificates from one file and the key from another (or the same: a proxy).
     *
     * @param passphrase asked only where the key is locked
     * @throws CredentialException unreadable, readable for others, expired, or without certificate or key
     */
    public static Credential read(Path certificates, Path keyFile, Supplier<char[]> passphrase)
            throws CredentialException {
        refuseOpenToOthers(keyFile);
        List<X509Certificate> chain = chain(certificates);
        refuseOutOfDate(certificates, chain.getFirst());
        return new Credential(certificates, chain, key(keyFile, passphrase));
    }

    /**
     * The certificates of a file in their order, of whatever date; keys in it are not looked at.
     *
     * @throws CredentialException unreadable, or without a certificate
     */
    public static List<X509Certificate> chain(Path file) throws CredentialException {
        List<X509Certificate> chain = certificates(file, read(file));
        if (chain.isEmpty()) {
            throw new CredentialException("File " + file + " holds no certificate.");
        }
        return chain;
    }

    /** Whether a certificate is a proxy of any kind: RFC 3820, of the draft before it, or legacy. */
    public static boolean isProxy(X509Certificate certificate) {
        return ServerTrust.isProxy(certificate);
    }

    private static PrivateKey key(Path file, Supplier<char[]> passphrase) throws CredentialException {
        try {
            for (Pem.Section section : Pem.sections(read(file))) {
                if (PrivateKeys.isKey(section)) {
                    return PrivateKeys.read(section, passphrase);
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CredentialException(
                    "The private key in " + file + " cannot be used: " + Sentence.of(e.getMessage()), e);
        }
        throw new CredentialException("File " + file + " holds no private key.");
    }

    /** All certificates of a PEM text, in order. */
    static List<X509Certificate> certificates(Path file, String text) throws CredentialException {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> certificates = new ArrayList<>();
            for (Pem.Section section : Pem.sections(text)) {
                if (section.type().equals("CERTIFICATE") || section.type().equals("X509 CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(section.data())));
                }
            }
            return certificates;
        } catch (CertificateException | IllegalArgumentException e) {
            throw new CredentialException("File " + file + " cannot be read as PEM certificates: " + e.getMessage(), e);
        }
    }

    static String read(Path file) throws CredentialException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new CredentialException(
                        "File " + file + " is larger than " + FILE_BYTES_MAX + " bytes: not a credential.");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new CredentialException("File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private static void refuseOpenToOthers(Path file) throws CredentialException {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new CredentialException("File " + file
                        + " holds a private key and others may use it (more than mode 0600). Run: chmod 600 " + file);
            }
        } catch (IOException e) {
            throw new CredentialException("File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private static void refuseOutOfDate(Path file, X509Certificate certificate) throws CredentialException {
        Instant now = Instant.now();
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            throw new CredentialException("The credential in " + file + " expired at " + certificate.getNotAfter()
                    + ". Make a new one, for a proxy with: jobgate proxy init, or voms-proxy-init.");
        }
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            throw new CredentialException("The credential in " + file + " is not valid before "
                    + certificate.getNotBefore() + ". Is the clock right?");
        }
    }

    /** The subject of the person behind any proxies, in slash form. */
    public String endEntity() {
        return SlashName.of(person().getSubjectX500Principal());
    }

    /** The authority that vouches for that person, in slash form. */
    public String issuer() {
        return SlashName.of(person().getIssuerX500Principal());
    }

    private X509Certificate person() {
        for (X509Certificate certificate : chain) {
            if (!ServerTrust.isProxy(certificate)) {
                return certificate;
            }
        }
        return chain.getLast();
    }
}
