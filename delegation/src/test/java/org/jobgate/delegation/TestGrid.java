// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jobgate.delegation.vault.ChainCheck;

/** Certificates of people and proxies of them, and a check that follows signatures to the one authority. */
public final class TestGrid {

    public static final String ALICE = "/O=Test/CN=Alice";
    public static final String BOB = "/O=Test/CN=Bob";

    private final KeyPair authority = keys();
    private final KeyPair alice = keys();
    private final KeyPair bob = keys();
    private final X509Certificate aliceCertificate = certificate("O=Test,CN=Alice", alice.getPublic());
    private final X509Certificate bobCertificate = certificate("O=Test,CN=Bob", bob.getPublic());

    public static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(1024);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate certificate(String name, PublicKey key) {
        Instant now = Instant.now();
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(new JcaX509v3CertificateBuilder(
                                    new X500Name("O=Test,CN=CA"),
                                    BigInteger.valueOf(now.toEpochMilli()),
                                    Date.from(now.minusSeconds(3600)),
                                    Date.from(now.plus(Duration.ofDays(30))),
                                    new X500Name(name),
                                    key)
                            .build(new JcaContentSignerBuilder("SHA256withRSA").build(authority.getPrivate())));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public X509Certificate aliceCertificate() {
        return aliceCertificate;
    }

    /** A proxy of Alice's over this key. */
    public List<X509Certificate> proxyOfAlice(PublicKey key, Duration lifetime) {
        return proxy(aliceCertificate, alice, key, lifetime, ProxyType.RFC3820, false);
    }

    /**
     * A proxy over this key by an Alice whose own key is of another kind than RSA, signed with that as her program would do it.
     *
     * @param keys name of the kind of her key, as EC or Ed25519
     * @param algorithm of her signature
     */
    public List<X509Certificate> proxyOfAliceWith(String keys, String algorithm, PublicKey key, Duration lifetime) {
        try {
            KeyPair own = KeyPairGenerator.getInstance(keys).generateKeyPair();
            X509Certificate certificate = certificate("O=Test,CN=Alice", own.getPublic());
            JcaX509v3CertificateBuilder proxy = new JcaX509v3CertificateBuilder(
                    new X500Name("O=Test,CN=Alice"),
                    BigInteger.TEN,
                    Date.from(Instant.now().minusSeconds(300)),
                    Date.from(Instant.now().plus(lifetime)),
                    new X500Name("O=Test,CN=Alice,CN=10"),
                    key);
            // RFC 3820: all rights of the issuer
            proxy.addExtension(
                    new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14"),
                    true,
                    new DERSequence(new DERSequence(new ASN1ObjectIdentifier("1.3.6.1.5.5.7.21.1"))));
            return List.of(
                    new JcaX509CertificateConverter()
                            .getCertificate(
                                    proxy.build(new JcaContentSignerBuilder(algorithm).build(own.getPrivate()))),
                    certificate);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public List<X509Certificate> limitedProxyOfAlice(PublicKey key, Duration lifetime) {
        return proxy(aliceCertificate, alice, key, lifetime, ProxyType.RFC3820, true);
    }

    /** As gridsite's clients make them. */
    public List<X509Certificate> legacyProxyOfAlice(PublicKey key, Duration lifetime) {
        return proxy(aliceCertificate, alice, key, lifetime, ProxyType.LEGACY, false);
    }

    public List<X509Certificate> proxyOfBob(PublicKey key, Duration lifetime) {
        return proxy(bobCertificate, bob, key, lifetime, ProxyType.RFC3820, false);
    }

    private static List<X509Certificate> proxy(
            X509Certificate parent, KeyPair keys, PublicKey key, Duration lifetime, ProxyType type, boolean limited) {
        try {
            ProxyCertificateOptions options = new ProxyCertificateOptions(new X509Certificate[] {parent});
            options.setPublicKey(key);
            options.setType(type);
            options.setLimited(limited);
            options.setValidityBounds(
                    Date.from(Instant.now().minusSeconds(300)),
                    Date.from(Instant.now().plus(lifetime)));
            return List.of(ProxyGenerator.generate(options, keys.getPrivate()).getCertificateChain());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Follows the signatures; what a real site trusts is tested with the container. */
    public ChainCheck check() {
        return chain -> {
            for (int i = 0; i < chain.length; i++) {
                PublicKey issuer = i + 1 < chain.length ? chain[i + 1].getPublicKey() : authority.getPublic();
                try {
                    chain[i].verify(issuer);
                } catch (GeneralSecurityException e) {
                    throw new CertificateException("broken chain at " + chain[i].getSubjectX500Principal(), e);
                }
            }
            String subject =
                    chain[chain.length - 1].getSubjectX500Principal().getName().contains("Alice") ? ALICE : BOB;
            Instant expires = Arrays.stream(chain)
                    .map(certificate -> certificate.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            boolean limited = Arrays.stream(chain).anyMatch(TestGrid::isLimited);
            return new ChainCheck.Verified(subject, limited, expires);
        };
    }

    private static boolean isLimited(X509Certificate certificate) {
        byte[] information = certificate.getExtensionValue("1.3.6.1.5.5.7.1.14");
        return information != null
                && new String(information, StandardCharsets.ISO_8859_1).contains("\u0001\u0001\u0001\u0009");
    }
}
