// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** Signs proxies (RFC 3820, all rights of the issuer) over the keys of services that jobs' credentials are delegated to. */
public final class ProxySigner {

    private static final ASN1ObjectIdentifier PROXY_INFORMATION = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");
    private static final ASN1ObjectIdentifier INHERIT_ALL = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.21.1");
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private final Credential issuer;
    private final Clock clock;

    /** A signer that signs as this credential. */
    public ProxySigner(Credential issuer, Clock clock) {
        this.issuer = requireNonNull(issuer, "issuer is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** A proxy over the key, valid so long but never longer than its issuer, with the issuer's chain behind it. */
    public List<X509Certificate> sign(PublicKey key, Duration lifetime) throws IOException, GeneralSecurityException {
        X509Certificate above = issuer.chain().getFirst();
        Instant wanted = clock.instant().plus(lifetime);
        Instant latest = above.getNotAfter().toInstant();
        BigInteger serial = BigInteger.valueOf(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
        X500Name name = X500Name.getInstance(above.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder proxy = new X509v3CertificateBuilder(
                name,
                serial,
                Date.from(clock.instant().minus(CLOCK_SKEW)),
                Date.from(wanted.isBefore(latest) ? wanted : latest),
                below(name, serial),
                SubjectPublicKeyInfo.getInstance(key.getEncoded()));
        proxy.addExtension(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        proxy.addExtension(PROXY_INFORMATION, true, new DERSequence(new DERSequence(INHERIT_ALL)));
        String algorithm = issuer.key().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        try {
            byte[] encoded = proxy.build(new JcaContentSignerBuilder(algorithm).build(issuer.key()))
                    .getEncoded();
            List<X509Certificate> chain = new ArrayList<>(List.of(Credential.certificate(encoded)));
            chain.addAll(issuer.chain());
            return chain;
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("cannot sign with the key of " + new X500Principal(name.toString()), e);
        }
    }

    private static X500Name below(X500Name name, BigInteger serial) {
        X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
        for (var part : name.getRDNs()) {
            builder.addMultiValuedRDN(part.getTypesAndValues());
        }
        return builder.addRDN(BCStyle.CN, serial.toString()).build();
    }

    /** The newest certificate of a PkiPath in base64, as GT4's delegation services show it. */
    static X509Certificate newestOf(String base64) throws GeneralSecurityException {
        byte[] path = Base64.getMimeDecoder().decode(base64);
        List<? extends java.security.cert.Certificate> chain = CertificateFactory.getInstance("X.509")
                .generateCertPath(new ByteArrayInputStream(path), "PkiPath")
                .getCertificates();
        // the JDK turns a PkiPath round: the newest stands first
        return (X509Certificate) chain.getFirst();
    }

    /** The chain as GT4's delegation services take it: a PkiPath in base64, the newest certificate last. */
    static String pkiPath(List<X509Certificate> chain) throws GeneralSecurityException {
        byte[] path = CertificateFactory.getInstance("X.509")
                .generateCertPath(new ArrayList<>(chain))
                .getEncoded("PkiPath");
        return Base64.getEncoder().encodeToString(path);
    }

    /** The key of a certificate request in PEM, as REST services ask for a delegation. */
    public static PublicKey keyOf(String request) throws IOException, GeneralSecurityException {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            if (parser.readObject() instanceof PKCS10CertificationRequest asked) {
                return new org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter()
                        .getPublicKey(asked.getSubjectPublicKeyInfo());
            }
        }
        throw new IOException("not a certificate request in PEM: " + request);
    }

    /** The chain in PEM, leaf first. */
    public static String pem(List<X509Certificate> chain) throws GeneralSecurityException {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : chain) {
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return pem.toString();
    }
}
