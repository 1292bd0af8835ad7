// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.RFC4519Style;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Certificate authorities, certificates and proxies, made for one test. */
public final class TestPki {

    private static final AtomicLong SERIAL = new AtomicLong(1);

    private final KeyPair caKey;
    private final X509Certificate caCertificate;

    /** A chain, the certificate of its bearer first, and the key of that. */
    public record Credential(List<X509Certificate> certificates, PrivateKey key) {

        public X509Certificate[] chain() {
            return certificates.toArray(X509Certificate[]::new);
        }
    }

    public TestPki(String name) {
        try {
            // canl signs a proxy with the algorithm by which its issuer was signed
            caKey = newKey("RSA");
            caCertificate = sign(
                    new X500Name(RFC4519Style.INSTANCE, name),
                    caKey,
                    true,
                    Duration.ofDays(-1),
                    Duration.ofDays(10),
                    null);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes this authority into the directory, as openssl rehash would name it. */
    public Path trustIn(Path directory) throws IOException {
        Files.createDirectories(directory);
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(caCertificate.getSubjectX500Principal(), true);
        write(directory.resolve(hash + ".0"), caCertificate);
        return directory;
    }

    /** A certificate for the subject, e.g. {@code CN=Alice,O=Grid}, the last part first, as RFC 2253 writes it. */
    public Credential issue(String subject) {
        return issue(new X500Name(RFC4519Style.INSTANCE, subject), Duration.ofDays(-1), Duration.ofDays(1), "RSA");
    }

    public Credential issueExpired(String subject) {
        return issue(new X500Name(RFC4519Style.INSTANCE, subject), Duration.ofDays(-2), Duration.ofHours(-1), "RSA");
    }

    public Credential issueShort(String subject, Duration lifetime) {
        return issue(new X500Name(RFC4519Style.INSTANCE, subject), Duration.ofDays(-1), lifetime, "RSA");
    }

    public Credential issue(X500Name subject, Duration from, Duration until, String algorithm) {
        try {
            KeyPair key = newKey(algorithm);
            X509Certificate certificate = sign(subject, key, false, from, until, caKey.getPrivate());
            return new Credential(List.of(certificate), key.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A proxy of the credential. */
    public static Credential proxy(Credential of, Consumer<ProxyCertificateOptions> options) {
        try {
            ProxyCertificateOptions chosen = new ProxyCertificateOptions(of.chain());
            chosen.setKeyLength(2048);
            options.accept(chosen);
            ProxyCertificate proxy = ProxyGenerator.generate(chosen, of.key());
            return new Credential(List.of(proxy.getCertificateChain()), proxy.getPrivateKey());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** TLS as a client that shows the credential (or none) and trusts everybody: it is the server that is tested. */
    public static SSLContext client(@Nullable Credential credential) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    credential == null ? null : new KeyManager[] {new ShowsAnything(credential)},
                    new TrustManager[] {new TrustsEverybody()},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes objects as PEM, readable by the owner only. */
    public static Path write(Path file, Object... parts) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            for (Object part : parts) {
                writer.writeObject(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Files.writeString(file, text.toString());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param algorithm RSA or EC, also with the bits: RSA-1024 */
    static KeyPair newKey(String algorithm) throws GeneralSecurityException {
        String[] parts = algorithm.split("-", -1);
        KeyPairGenerator generator = KeyPairGenerator.getInstance(parts[0]);
        int usual = algorithm.equals("EC") ? 256 : 2048;
        generator.initialize(parts.length == 1 ? usual : Integer.parseInt(parts[1]));
        return generator.generateKeyPair();
    }

    private X509Certificate sign(
            X500Name subject,
            KeyPair key,
            boolean authority,
            Duration from,
            Duration until,
            @Nullable PrivateKey signer)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X500Principal issuer = signer == null
                ? new X500Principal(subject.getEncoded())
                : requireNonNull(caCertificate).getSubjectX500Principal();
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(SERIAL.getAndIncrement()),
                Date.from(now.plus(from)),
                Date.from(now.plus(until)),
                new X500Principal(subject.getEncoded()),
                key.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        // VOMS names the servers of attributes by it
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key.getPublic()));
        builder.addExtension(
                Extension.keyUsage,
                true,
                new KeyUsage(
                        authority
                                ? KeyUsage.keyCertSign | KeyUsage.cRLSign
                                : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        PrivateKey with = signer == null ? key.getPrivate() : signer;
        String algorithm = with.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(with)));
    }
}
