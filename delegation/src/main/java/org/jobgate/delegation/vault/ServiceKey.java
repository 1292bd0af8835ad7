// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/**
 * The key of the service itself, over which GT4's clients sign their proxies: one for all delegations (facts/gram4.md section 5). It
 * is not the key of the host's TLS certificate, which the administrator may renew at any time. It is made once, and kept sealed in the
 * store; clients get it in a certificate that it has signed itself, and trust it because of the TLS connection it comes through.
 */
public record ServiceKey(X509Certificate certificate, PrivateKey privateKey) {

    private static final String KIND = "delegation.service-key";
    private static final String OWNER = "/CN=Jobgate delegation service";
    private static final String KEY = "1";
    private static final Duration VALID = Duration.ofDays(20 * 365);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    /**
     * The key in the store, made if there is none.
     *
     * @throws IllegalStateException if it cannot be opened with the site key
     */
    public static ServiceKey in(JobStore store, SiteKey siteKey, KeyPool keys, Clock clock, SecureRandom random) {
        SealedRecords records = new SealedRecords(KIND, siteKey);
        Optional<DoorRecord> kept = store.findRecord(KIND, SealedRecords.id(OWNER, KEY));
        try {
            if (kept.isPresent() && !siteKey.isNew()) {
                DelegatedProxy credential = records.read(kept.get()).asProxy();
                return new ServiceKey(credential.chain().getFirst(), credential.privateKey());
            }
            KeyPair pair = keys.makeOne();
            Instant expires = clock.instant().plus(VALID);
            X509Certificate certificate = certificate(pair, clock.instant(), expires, random);
            DelegatedProxy credential =
                    new DelegatedProxy(OWNER, KEY, List.of(certificate), pair.getPrivate(), false, expires, expires);
            store.putRecord(records.write(credential, clock.instant())).join();
            return new ServiceKey(certificate, pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "The key of the delegation service cannot be opened with the site key. Put the right site key back from the backup.",
                    e);
        }
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private static X509Certificate certificate(KeyPair pair, Instant now, Instant expires, SecureRandom random)
            throws GeneralSecurityException {
        X500Name name = new X500NameBuilder()
                .addRDN(BCStyle.O, "Jobgate")
                .addRDN(BCStyle.CN, "delegation service")
                .build();
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(63, random).add(BigInteger.ONE),
                    Date.from(now.minus(CLOCK_SKEW)),
                    Date.from(expires),
                    name,
                    pair.getPublic());
            builder.addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate())));
        } catch (OperatorCreationException | CertIOException e) {
            throw new GeneralSecurityException("the certificate cannot be signed", e);
        }
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "service key " + certificate.getSerialNumber();
    }
}
