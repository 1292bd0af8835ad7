// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
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
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jobgate.cli.tls.Credential;
import org.jspecify.annotations.Nullable;

/** Makes proxies (RFC 3820) of users' certificates and of other proxies. */
public final class ProxyIssuer {
    /** Clocks differ: certificates begin to be valid a little in the past. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private final Clock clock;
    private final SecureRandom random;

    public ProxyIssuer(Clock clock, SecureRandom random) {
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /**
     * A proxy of a user's certificate or of another proxy. What is made from a limited proxy is limited.
     *
     * @param depth how many further proxies may be made from it; null for any number
     * @param keys its own key pair
     * @param lifetime from now on; it never outlives what it is made from, since everybody would refuse it then
     * @throws GeneralSecurityException the owner's key cannot sign, it is a proxy of an older kind, or it allows no further proxy
     */
    public Issued proxy(Issued owner, ProxyKind kind, @Nullable Integer depth, KeyPair keys, Duration lifetime)
            throws GeneralSecurityException, IOException {
        ProxyKind allowed = allowed(owner.certificate(), kind);
        X500Name issuer = X500Name.getInstance(
                owner.certificate().getSubjectX500Principal().getEncoded());
        BigInteger serial = new BigInteger(Integer.SIZE - 1, random).add(BigInteger.ONE);
        X509v3CertificateBuilder builder = builder(owner, issuer, serial, keys, lifetime);
        builder.addExtension(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        builder.addExtension(ProxyInformation.EXTENSION, true, ProxyInformation.encoded(allowed, depth));
        List<X509Certificate> chain = new ArrayList<>();
        try {
            chain.add(new JcaX509CertificateConverter()
                    .getCertificate(builder.build(
                            new JcaContentSignerBuilder(KeyKind.signatureAlgorithm(owner.key())).build(owner.key()))));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("cannot sign: " + e.getMessage(), e);
        }
        chain.addAll(owner.chain());
        return new Issued(chain, keys.getPrivate());
    }

    private static ProxyKind allowed(X509Certificate owner, ProxyKind wanted) throws GeneralSecurityException {
        ProxyInformation information = ProxyInformation.of(owner).orElse(null);
        if (information == null) {
            if (Credential.isProxy(owner)) {
                throw new GeneralSecurityException(
                        "it is a proxy of a kind older than RFC 3820, and the kinds must not be mixed; use the user's certificate");
            }
            return wanted;
        }
        Integer depth = information.depth();
        if (depth != null && depth == 0) {
            throw new GeneralSecurityException("it is a proxy that allows no further proxy (path length 0)");
        }
        if (information.language() == ProxyKind.LIMITED) {
            return ProxyKind.LIMITED;
        }
        return wanted;
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private X509v3CertificateBuilder builder(
            Issued owner, X500Name issuer, BigInteger serial, KeyPair keys, Duration lifetime) {
        Instant now = clock.instant();
        Instant latest = owner.certificate().getNotAfter().toInstant();
        Instant wanted = now.plus(lifetime);
        return new JcaX509v3CertificateBuilder(
                issuer,
                serial,
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(wanted.isBefore(latest) ? wanted : latest),
                below(issuer, serial.toString()),
                keys.getPublic());
    }

    /** RFC 3820 section 3.4: the issuer's name and one common name more. */
    private static X500Name below(X500Name base, String commonName) {
        List<RDN> parts = new ArrayList<>(List.of(base.getRDNs()));
        parts.add(new RDN(BCStyle.CN, BCStyle.INSTANCE.stringToValue(BCStyle.CN, commonName)));
        return new X500Name(parts.toArray(RDN[]::new));
    }
}
