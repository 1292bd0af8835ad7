// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Makes certificates: an authority's own, hosts' and users'. */
final class Issuer {
    /** Clocks differ: certificates begin to be valid a little in the past. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 63;
    private static final int END_ENTITY_USE =
            KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.dataEncipherment;

    private final Clock clock;
    private final SecureRandom random;

    Issuer(Clock clock, SecureRandom random) {
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    Issued authority(X500Name subject, KeyKind kind, Duration lifetime) throws GeneralSecurityException, IOException {
        KeyPair keys = kind.generate();
        Certificate certificate = new Certificate(subject, subject, keys.getPublic(), expiry(lifetime));
        certificate.builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        certificate.builder.addExtension(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        certificate.builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        return new Issued(List.of(certificate.signed(keys.getPrivate())), keys.getPrivate());
    }

    /** @param names all names and addresses of the host; the first one becomes the common name */
    Issued host(Issued authority, X500Name base, List<HostName> names, KeyKind kind, Duration lifetime)
            throws GeneralSecurityException, IOException {
        X500Name subject = under(base, names.getFirst().text());
        GeneralName[] alternatives = names.stream().map(HostName::asGeneralName).toArray(GeneralName[]::new);
        return endEntity(authority, subject, kind, lifetime, new GeneralNames(alternatives));
    }

    Issued user(Issued authority, X500Name base, String name, KeyKind kind, Duration lifetime)
            throws GeneralSecurityException, IOException {
        return endEntity(authority, under(base, name), kind, lifetime, null);
    }

    private Issued endEntity(
            Issued authority, X500Name subject, KeyKind kind, Duration lifetime, @Nullable GeneralNames hostNames)
            throws GeneralSecurityException, IOException {
        KeyPair keys = kind.generate();
        Certificate certificate =
                new Certificate(subjectOf(authority.certificate()), subject, keys.getPublic(), expiry(lifetime));
        X509v3CertificateBuilder builder = certificate.builder;
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(END_ENTITY_USE));
        KeyPurposeId[] uses = hostNames == null
                ? new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth}
                : new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(uses));
        // RFC 5280 section 4.2.1.2; voms-proxy-fake wants it of the host that signs attributes
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        builder.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority.certificate()));
        if (hostNames != null) {
            builder.addExtension(Extension.subjectAlternativeName, false, hostNames);
        }
        return new Issued(List.of(certificate.signed(authority.key())), keys.getPrivate());
    }

    private Instant expiry(Duration lifetime) {
        return clock.instant().plus(lifetime);
    }

    private static X500Name subjectOf(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    private static X500Name under(X500Name base, String commonName) {
        List<RDN> parts = new ArrayList<>(List.of(base.getRDNs()));
        parts.add(new RDN(BCStyle.CN, BCStyle.INSTANCE.stringToValue(BCStyle.CN, commonName)));
        return new X500Name(parts.toArray(RDN[]::new));
    }

    /** One certificate on its way. */
    private final class Certificate {
        private final X509v3CertificateBuilder builder;

        @SuppressWarnings("JavaUtilDate") // what the library takes
        private Certificate(X500Name issuer, X500Name subject, PublicKey key, Instant notAfter) {
            BigInteger serial = new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
            Instant notBefore = clock.instant().minus(CLOCK_SKEW);
            builder = new JcaX509v3CertificateBuilder(
                    issuer, serial, Date.from(notBefore), Date.from(notAfter), subject, key);
        }

        private X509Certificate signed(PrivateKey key) throws GeneralSecurityException {
            try {
                return new JcaX509CertificateConverter()
                        .getCertificate(
                                builder.build(new JcaContentSignerBuilder(KeyKind.signatureAlgorithm(key)).build(key)));
            } catch (OperatorCreationException e) {
                throw new GeneralSecurityException("cannot sign: " + e.getMessage(), e);
            }
        }
    }
}
