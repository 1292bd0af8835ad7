// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jobgate.cli.text.Sentence;

/**
 * A directory of CA certificates, {@code <hash>.0} and so on, with revocation lists {@code <hash>.r0}. Only files that
 * the chain at hand calls for are opened: grid trust directories hold hundreds.
 *
 * @param path the directory
 */
public record TrustDirectory(Path path) {
    private static final int SAME_HASH_MAX = 10;
    /** In a directory without hashed names so many files are tried, no more. */
    private static final int UNHASHED_MAX = 500;

    /** Where it is: {@code X509_CERT_DIR}, else {@code ~/.globus/certificates}, else {@code /etc/grid-security/certificates}. */
    public static TrustDirectory find(Map<String, String> environment, Path home) throws CredentialException {
        String named = environment.getOrDefault("X509_CERT_DIR", "");
        if (!named.isEmpty()) {
            if (!Files.isDirectory(Path.of(named))) {
                throw new CredentialException("X509_CERT_DIR names " + named + ", which is not a directory.");
            }
            return new TrustDirectory(Path.of(named));
        }
        Path own = home.resolve(".globus/certificates");
        Path site = Path.of("/etc/grid-security/certificates");
        for (Path candidate : List.of(own, site)) {
            if (Files.isDirectory(candidate)) {
                return new TrustDirectory(candidate);
            }
        }
        throw new CredentialException("No directory of trusted CA certificates: X509_CERT_DIR is not set, and neither "
                + own + " nor " + site + " exists.");
    }

    /** The trusted certificates with that subject. */
    List<X509Certificate> authorities(X500Principal subject) throws CredentialException {
        List<X509Certificate> found = new ArrayList<>();
        String hash = NameHash.of(subject);
        for (int i = 0; i < SAME_HASH_MAX && Files.exists(path.resolve(hash + "." + i)); i++) {
            addMatching(path.resolve(hash + "." + i), subject, found);
        }
        if (found.isEmpty()) {
            searchAll(subject, found);
        }
        return found;
    }

    private static void addMatching(Path file, X500Principal subject, List<X509Certificate> found)
            throws CredentialException {
        for (X509Certificate certificate : Credential.certificates(file, Credential.read(file))) {
            if (certificate.getSubjectX500Principal().equals(subject)) {
                found.add(certificate);
            }
        }
    }

    private void searchAll(X500Principal subject, List<X509Certificate> found) throws CredentialException {
        try (Stream<Path> files = Files.list(path)) {
            List<Path> candidates = files.filter(TrustDirectory::isUnhashedAuthority)
                    .sorted()
                    .limit(UNHASHED_MAX)
                    .toList();
            for (Path file : candidates) {
                addMatching(file, subject, found);
            }
        } catch (IOException e) {
            throw new CredentialException(
                    "The trust directory " + path + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private static boolean isUnhashedAuthority(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".pem") || name.endsWith(".crt") || name.endsWith(".0");
    }

    /** Refuses a certificate that its authority revoked, or whose revocation list cannot be believed or is out of date. */
    void refuseRevoked(X509Certificate certificate, X509Certificate authority) throws CredentialException {
        String hash = NameHash.of(certificate.getIssuerX500Principal());
        for (int i = 0; i < SAME_HASH_MAX && Files.exists(path.resolve(hash + ".r" + i)); i++) {
            Path file = path.resolve(hash + ".r" + i);
            X509CRL list = revocationList(file);
            if (!list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())) {
                continue;
            }
            refuseUnbelievable(list, authority, file);
            if (list.isRevoked(certificate)) {
                throw new CredentialException("The certificate " + SlashName.of(certificate.getSubjectX500Principal())
                        + " is revoked by the list in " + file + ".");
            }
        }
    }

    private static X509CRL revocationList(Path file) throws CredentialException {
        String text = Credential.read(file);
        try {
            byte[] data = text.contains("-----BEGIN")
                    ? Pem.sections(text).getFirst().data()
                    : text.getBytes(StandardCharsets.ISO_8859_1);
            return (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(data));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CredentialException(
                    "File " + file + " is not a revocation list: " + Sentence.of(e.getMessage()), e);
        }
    }

    private static void refuseUnbelievable(X509CRL list, X509Certificate authority, Path file)
            throws CredentialException {
        try {
            list.verify(authority.getPublicKey());
        } catch (GeneralSecurityException e) {
            throw new CredentialException("The revocation list in " + file + " is not signed by its authority.", e);
        }
        if (list.getNextUpdate() != null && list.getNextUpdate().toInstant().isBefore(Instant.now())) {
            throw new CredentialException("The revocation list in " + file + " ran out at " + list.getNextUpdate()
                    + ". Fetch a new one (fetch-crl).");
        }
    }
}
