// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.RFC4519Style;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Makes certificates as nobody should: each as wrong as its test wants it. Names are written last part first, as RFC 2253 does. */
public record Forge(String subject, Duration from, Duration until, List<Ext> extensions, String keys) {

    private static final AtomicLong SERIAL = new AtomicLong(1_000_000);

    public static final String INHERIT_ALL = "1.3.6.1.5.5.7.21.1";
    public static final String INDEPENDENT = "1.3.6.1.5.5.7.21.2";
    public static final String LIMITED = "1.3.6.1.4.1.3536.1.1.1.9";
    static final String PROXY_INFORMATION = "1.3.6.1.5.5.7.1.14";

    /** One extension. */
    public record Ext(String oid, boolean critical, ASN1Encodable value) {}

    /** A certificate, its key, its name, and what its issuer has above it. */
    public record Made(List<X509Certificate> chain, PrivateKey key, String name) {

        public X509Certificate certificate() {
            return chain.getFirst();
        }

        public TestPki.Credential credential() {
            return new TestPki.Credential(chain, key);
        }

        public Made with(List<X509Certificate> other) {
            return new Made(other, key, name);
        }

        Made with(List<X509Certificate> other, PrivateKey otherKey) {
            return new Made(other, otherKey, name);
        }
    }

    public static Forge of(String subject) {
        return new Forge(subject, Duration.ofDays(-1), Duration.ofDays(1), List.of(), "EC");
    }

    /** As an authority: CA bit, may sign. */
    public static Forge authority(String subject, @Nullable Integer length) {
        return of(subject)
                .ext(
                        Extension.basicConstraints.getId(),
                        true,
                        length == null ? new BasicConstraints(true) : new BasicConstraints(length))
                .usage(KeyUsage.keyCertSign | KeyUsage.cRLSign);
    }

    /** As a user's certificate. */
    public static Forge user(String subject) {
        return of(subject)
                .ext(Extension.basicConstraints.getId(), true, new BasicConstraints(false))
                .usage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment);
    }

    /** As an RFC 3820 proxy of the issuer. */
    public static Forge proxyOf(Made issuer, String policy, @Nullable Integer length) {
        return of("CN=" + SERIAL.get() + "," + issuer.name())
                .ext(PROXY_INFORMATION, true, information(policy, length))
                .usage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment);
    }

    static DERSequence information(String policy, @Nullable Integer length) {
        ASN1EncodableVector all = new ASN1EncodableVector();
        if (length != null) {
            all.add(new ASN1Integer(length));
        }
        all.add(new DERSequence(new ASN1ObjectIdentifier(policy)));
        return new DERSequence(all);
    }

    public Forge named(String name) {
        return new Forge(name, from, until, extensions, keys);
    }

    public Forge valid(Duration begin, Duration end) {
        return new Forge(subject, begin, end, extensions, keys);
    }

    public Forge ext(String oid, boolean critical, ASN1Encodable value) {
        List<Ext> more = new ArrayList<>(extensions);
        more.removeIf(ext -> ext.oid().equals(oid));
        more.add(new Ext(oid, critical, value));
        return new Forge(subject, from, until, more, keys);
    }

    /** With a key of another kind than a curve's of 256 bits: RSA-1024, EC-192. */
    public Forge keys(String algorithm) {
        return new Forge(subject, from, until, extensions, algorithm);
    }

    public Forge usage(int bits) {
        return ext(Extension.keyUsage.getId(), true, new KeyUsage(bits));
    }

    public Made selfSigned() {
        KeyPair own = newKeys();
        return new Made(List.of(make(own, subject, own.getPrivate())), own.getPrivate(), subject);
    }

    public Made signedBy(Made authority) {
        return signedBy(authority, authority.key(), authority.name());
    }

    /** With whatever key, in whosever name; the chain goes on with the authority's. */
    public Made signedBy(Made authority, PrivateKey key, String issuerName) {
        KeyPair own = newKeys();
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(make(own, issuerName, key));
        chain.addAll(authority.chain());
        return new Made(chain, own.getPrivate(), subject);
    }

    /** A further certificate of an authority, with its name and its key, by another one. */
    public static X509Certificate cross(Made authority, Made by) {
        return authority(authority.name(), null)
                .make(new KeyPair(authority.certificate().getPublicKey(), authority.key()), by.name(), by.key());
    }

    private KeyPair newKeys() {
        try {
            return TestPki.newKey(keys);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private X509Certificate make(KeyPair own, String issuerName, PrivateKey signer) {
        Instant now = Instant.now();
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    new X500Name(RFC4519Style.INSTANCE, issuerName),
                    BigInteger.valueOf(SERIAL.getAndIncrement()),
                    Date.from(now.plus(from)),
                    Date.from(now.plus(until)),
                    new X500Name(RFC4519Style.INSTANCE, subject),
                    own.getPublic());
            for (Ext ext : extensions) {
                builder.addExtension(new ASN1ObjectIdentifier(ext.oid()), ext.critical(), ext.value());
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(
                                    signer.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA")
                            .build(signer)));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The authority's list of revoked certificates. */
    public static Object revoked(Made authority, X509Certificate... certificates) {
        return revoked(authority, Duration.ofDays(1), certificates);
    }

    /** The same, until another time from now. */
    @SuppressWarnings("JavaUtilDate") // what the library takes
    public static Object revoked(Made authority, Duration until, X509Certificate... certificates) {
        Instant now = Instant.now();
        try {
            JcaX509v2CRLBuilder list =
                    new JcaX509v2CRLBuilder(authority.certificate(), Date.from(now.minus(Duration.ofDays(3))));
            list.setNextUpdate(Date.from(now.plus(until)));
            for (X509Certificate certificate : certificates) {
                list.addCRLEntry(certificate.getSerialNumber(), Date.from(now.minus(Duration.ofHours(2))), 1);
            }
            return new JcaX509CRLConverter()
                    .getCRL(list.build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.key())));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }
}
