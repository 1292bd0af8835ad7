// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.NameHash;
import org.jobgate.cli.tls.SlashName;

/**
 * Where an authority and what it issued lie: {@code ca/} (its certificate and key), {@code certificates/} (the trust
 * directory), {@code hosts/NAME/} and {@code users/NAME/}.
 */
final class AuthorityFolder {
    private final Path root;

    AuthorityFolder(Path root) {
        this.root = requireNonNull(root, "root is null");
    }

    Path authorityCertificate() {
        return root.resolve("ca/cacert.pem");
    }

    Path authorityKey() {
        return root.resolve("ca/cakey.pem");
    }

    Path trustDirectory() {
        return root.resolve("certificates");
    }

    Path host(String name) {
        return root.resolve("hosts").resolve(fileName(name));
    }

    Path user(String name) {
        return root.resolve("users").resolve(fileName(name));
    }

    /** A name as one path element: no separators, no dots in front. */
    private static String fileName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]+", "-").replaceAll("^[.-]+", "");
    }

    boolean exists() {
        return Files.exists(authorityCertificate());
    }

    Issued authority() throws CredentialException {
        if (!exists()) {
            throw new CredentialException(
                    "No authority in " + root + ". Make one first: jobgate ca init --dir " + root);
        }
        return read(authorityCertificate(), authorityKey());
    }

    static Issued read(Path certificates, Path key) throws CredentialException {
        Credential credential = Credential.read(certificates, key, () -> new char[0]);
        return new Issued(credential.chain(), credential.key());
    }

    /** What stands before the common name in everything that this authority issues. */
    X500Name base(Issued authority) {
        X500Name subject = X500Name.getInstance(
                authority.certificate().getSubjectX500Principal().getEncoded());
        var parts = subject.getRDNs();
        return new X500Name(Arrays.copyOf(parts, parts.length - 1));
    }

    void save(Issued authority) throws IOException {
        PemFiles.writeKey(authorityKey(), authority.key());
        trust(authority.certificate(), base(authority));
        // last: its presence says that the authority is complete
        PemFiles.writeCertificates(authorityCertificate(), authority.chain());
    }

    /** Under both of OpenSSL's names, the one of today and the one before 1.0, which older grid software looks for. */
    private void trust(X509Certificate authority, X500Name base) throws IOException {
        X500Principal subject = authority.getSubjectX500Principal();
        String policy = signingPolicy(subject, base);
        for (String hash : List.of(NameHash.of(subject), NameHash.oldOf(subject))) {
            PemFiles.writeCertificates(trustDirectory().resolve(hash + ".0"), List.of(authority));
            PemFiles.writeText(trustDirectory().resolve(hash + ".signing_policy"), policy);
        }
    }

    /** The Globus form: which names this authority may sign. */
    private static String signingPolicy(X500Principal authority, X500Name base) throws IOException {
        String space = SlashName.of(new X500Principal(base.getEncoded()));
        return "# What this authority may sign. Read by Globus libraries and canl.\n"
                + "access_id_CA   X509    '" + SlashName.of(authority) + "'\n"
                + "pos_rights     globus  CA:sign\n"
                + "cond_subjects  globus  '\"" + space + "/*\"'\n";
    }
}
