// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.site.SiteFile;

/** The service's own certificate chain and private key. */
public final class HostCredential {

    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);
    private static final Duration SOON = Duration.ofDays(14);
    private static final long MAX_FILE_BYTES = 1024 * 1024;

    private final X509Certificate[] chain;
    private final PrivateKey key;

    private HostCredential(X509Certificate[] chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    /**
     * Reads both files.
     *
     * @param minRsaBits that RSA keys must have at least
     * @throws ConfigurationException that says which file cannot be used and why
     */
    public static HostCredential load(Path certificateFile, Path keyFile, int minRsaBits) {
        X509Certificate[] chain = readChain(certificateFile);
        KeyStrength strength = new KeyStrength(minRsaBits);
        for (X509Certificate certificate : chain) {
            strength.weakness(certificate).ifPresent(what -> {
                throw refused("server.hostCertificate", certificateFile, what);
            });
        }
        PrivateKey key = readKey(keyFile);
        if (!belongTogether(chain[0], key)) {
            throw refused("server.hostKey", keyFile, "is not the key of the certificate in " + certificateFile);
        }
        return new HostCredential(chain, key);
    }

    /** Its certificate first. */
    public X509Certificate[] chain() {
        return Arrays.copyOf(chain, chain.length);
    }

    /** The private key of the certificate; it must be shown to nobody. */
    public PrivateKey key() {
        return key;
    }

    /** What people should know about the certificate's validity, if anything. */
    public Optional<String> warning(Clock clock) {
        Instant now = clock.instant();
        Instant until = chain[0].getNotAfter().toInstant();
        if (until.isBefore(now)) {
            return Optional.of(
                    "The host certificate expired at " + until + ": clients will refuse it. Renew it and start again.");
        }
        if (chain[0].getNotBefore().toInstant().isAfter(now)) {
            return Optional.of("The host certificate is valid only from "
                    + chain[0].getNotBefore().toInstant() + ". Is the clock right?");
        }
        if (until.isBefore(now.plus(SOON))) {
            return Optional.of("The host certificate expires at " + until + ". Renew it and start again.");
        }
        return Optional.empty();
    }

    /** Its name in slash form. */
    public String slashName() {
        return slash(chain[0].getSubjectX500Principal());
    }

    /** Its name as RFC 2253 writes it. */
    public String rfc2253Name() {
        return chain[0].getSubjectX500Principal().getName();
    }

    /** The name of the authority that issued it, in slash form. */
    public String authority() {
        return slash(chain[0].getIssuerX500Principal());
    }

    private static String slash(X500Principal name) {
        try {
            return SubjectName.slashForm(name);
        } catch (CertificateException e) {
            // only those whom it is told need it, and they know it by the connection too
            return name.getName();
        }
    }

    private static X509Certificate[] readChain(Path file) {
        try (InputStream in = open("server.hostCertificate", file)) {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (chain.length == 0) {
                throw refused("server.hostCertificate", file, "holds no certificate in PEM form");
            }
            return chain;
        } catch (ConfigurationException e) {
            throw e;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // whatever the parser throws at what the file holds, the administrator must hear which file it is
            throw refused("server.hostCertificate", file, "cannot be read: " + e.getMessage());
        }
    }

    private static PrivateKey readKey(Path file) {
        try (Reader reader = new InputStreamReader(open("server.hostKey", file), StandardCharsets.ISO_8859_1);
                PEMParser parser = new PEMParser(reader)) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.stream().anyMatch(OTHERS::contains)) {
                throw refused("server.hostKey", file, "can be read or written by others; do: chmod 600 " + file);
            }
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                Optional<PrivateKeyInfo> info = keyInfo(part, file);
                if (info.isPresent()) {
                    return new JcaPEMKeyConverter().getPrivateKey(info.get());
                }
            }
            throw refused("server.hostKey", file, "holds no private key in PEM form");
        } catch (ConfigurationException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // the message of a parser may hold a part of the key: nothing of it is told
            throw refused("server.hostKey", file, "cannot be read as a private key: what it holds is damaged");
        }
    }

    private static Optional<PrivateKeyInfo> keyInfo(Object part, Path file) {
        return switch (part) {
            case PEMKeyPair pair -> Optional.of(pair.getPrivateKeyInfo());
            case PrivateKeyInfo info -> Optional.of(info);
            case PEMEncryptedKeyPair ignored -> throw encrypted(file);
            case PKCS8EncryptedPrivateKeyInfo ignored -> throw encrypted(file);
            // e.g. the EC PARAMETERS that openssl writes before an EC key
            default -> Optional.empty();
        };
    }

    private static ConfigurationException encrypted(Path file) {
        return refused(
                "server.hostKey",
                file,
                "is encrypted, and nobody is there to type its password; do: openssl pkey -in " + file + " -out NEW");
    }

    private static InputStream open(String name, Path file) {
        try {
            return SiteFile.read(file, MAX_FILE_BYTES).open();
        } catch (NoSuchFileException e) {
            throw refused(name, file, "there is no such file");
        } catch (AccessDeniedException e) {
            throw refused(name, file, "cannot be read by this account");
        } catch (IOException e) {
            throw refused(name, file, "cannot be read: " + e.getMessage());
        }
    }

    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC", "ECDSA" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        byte[] probe = {1, 2, 3};
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(probe);
            byte[] signature = requireNonNull(signer.sign());
            signer.initVerify(certificate.getPublicKey());
            signer.update(probe);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            // keys of different kinds do not even fit the same algorithm
            return false;
        }
    }

    private static ConfigurationException refused(String name, Path file, String why) {
        return new ConfigurationException(List.of(name + " = " + file + ": " + why));
    }
}
