// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.apache.wss4j.common.crypto.Merlin;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jobgate.identity.Identity;

/** A small grid: an authority, a service, Alice with a proxy, and Mallory, whom another authority vouches for. */
final class TestSigner {

    static final String ALICE = "/O=Test/CN=Alice";

    private final KeyPair authority = keys();
    private final KeyPair foreign = keys();
    final KeyPair service = keys();
    final X509Certificate serviceCertificate = certificate("O=Test,CN=localhost", service.getPublic(), authority);
    private final KeyPair alice = keys();
    final X509Certificate aliceCertificate = certificate("O=Test,CN=Alice", alice.getPublic(), authority);
    private final KeyPair mallory = keys();
    final X509Certificate malloryCertificate = certificate("O=Test,CN=Alice", mallory.getPublic(), foreign);

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One for the service's key in another name. */
    X509Certificate certificateOf(String name) {
        return certificate(name, service.getPublic(), authority);
    }

    /** One of the service with these names beside its subject. */
    X509Certificate serviceCertificate(GeneralName... alternatives) {
        return certificate("O=Test,CN=localhost", service.getPublic(), authority, alternatives);
    }

    private static X509Certificate certificate(
            String name, PublicKey key, KeyPair authority, GeneralName... alternatives) {
        Instant now = Instant.now();
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    new X500Name("O=Test,CN=CA"),
                    BigInteger.valueOf(now.toEpochMilli()),
                    Date.from(now.minusSeconds(3600)),
                    Date.from(now.plus(Duration.ofDays(30))),
                    new X500Name(name),
                    key);
            if (alternatives.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(authority.getPrivate())));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** WSS4J's keys of a client who signs with Alice's own certificate. */
    Merlin alice() {
        return client(alice.getPrivate(), aliceCertificate);
    }

    Merlin mallory() {
        return client(mallory.getPrivate(), malloryCertificate);
    }

    /** One who signs with a proxy of a proxy of Alice's. */
    Merlin aliceByProxy() {
        ProxyCertificate first = proxy(new X509Certificate[] {aliceCertificate}, alice.getPrivate());
        ProxyCertificate second = proxy(first.getCertificateChain(), first.getPrivateKey());
        return client(second.getPrivateKey(), second.getCertificateChain());
    }

    private static ProxyCertificate proxy(X509Certificate[] chain, PrivateKey key) {
        try {
            return ProxyGenerator.generate(new ProxyCertificateOptions(chain), key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Merlin client(PrivateKey key, X509Certificate... chain) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("me", key, "password".toCharArray(), chain);
            Merlin crypto = new Merlin(false, "");
            crypto.setKeyStore(store);
            return crypto;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Follows the signatures to the one authority; what a real site trusts is tested with the container. */
    ChainTrust trust() {
        return chain -> {
            for (int i = 0; i < chain.length; i++) {
                PublicKey issuer = i + 1 < chain.length ? chain[i + 1].getPublicKey() : authority.getPublic();
                try {
                    chain[i].verify(issuer);
                } catch (GeneralSecurityException e) {
                    throw new CertificateException(
                            "no trusted authority has signed " + chain[i].getSubjectX500Principal(), e);
                }
            }
            String subject = chain[chain.length - 1].getSubjectX500Principal().getName();
            return new Identity(subject.contains("Alice") ? ALICE : "/O=Test/CN=localhost", "test", false);
        };
    }
}
