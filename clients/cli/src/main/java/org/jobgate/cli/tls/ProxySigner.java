// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Signs proxy certificates over other people's keys: RFC 3820, or legacy where the issuer is a legacy proxy, for the kinds must not be
 * mixed. In DER by hand, as the rest of this package: a library of certificates would cost each command half of its start-up time.
 */
public final class ProxySigner {
    /** Clocks differ: proxies begin to be valid a little in the past. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int EXPLICIT_0 = 0xA0;
    private static final int EXPLICIT_3 = 0xA3;
    private static final int BIT_STRING = 0x03;
    private static final int BOOLEAN = 0x01;
    private static final int PRINTABLE_STRING = 0x13;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int YEAR_OF_GENERALIZED_TIME = 2050;

    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};
    private static final byte[] KEY_USAGE = {0x55, 0x1D, 0x0F};
    private static final byte[] PROXY_INFORMATION = {0x2B, 6, 1, 5, 5, 7, 1, 14};
    /** All rights of the issuer (RFC 3820 section 3.8). */
    private static final byte[] INHERIT_ALL = {0x2B, 6, 1, 5, 5, 7, 21, 1};
    /** Globus: may move files, must not start jobs (1.3.6.1.4.1.3536.1.1.1.9). */
    private static final byte[] LIMITED = {0x2B, 6, 1, 4, 1, (byte) 0x9B, 0x50, 1, 1, 1, 9};

    private static final byte[] SHA256_WITH_RSA = {0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 11};
    private static final byte[] ECDSA_WITH_SHA256 = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2};
    /** digitalSignature and keyEncipherment. */
    private static final byte[] USES = {BIT_STRING, 2, 5, (byte) 0xA0};

    private static final String PROXY_OID = "1.3.6.1.5.5.7.1.14";
    private static final String DRAFT_OID = "1.3.6.1.4.1.3536.1.222";

    private static final DateTimeFormatter SHORT =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Clock clock;
    private final RandomGenerator random;

    public ProxySigner(Clock clock, RandomGenerator random) {
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /**
     * A proxy of the credential over somebody's key.
     *
     * @param lifetime from now on; the proxy never outlives the credential
     * @param isLimited whether it must not start jobs; what is made from a limited proxy always is
     * @return the new certificate first, then the credential's chain
     * @throws GeneralSecurityException the credential's key cannot sign, or it is a proxy of the GSI-3 draft
     */
    public List<X509Certificate> sign(Credential credential, PublicKey key, Duration lifetime, boolean isLimited)
            throws GeneralSecurityException {
        X509Certificate issuer = credential.chain().getFirst();
        if (issuer.getExtensionValue(DRAFT_OID) != null) {
            throw new GeneralSecurityException(
                    "proxies of the GSI-3 draft cannot be delegated from; make one of RFC 3820");
        }
        Instant now = clock.instant();
        Instant latest = issuer.getNotAfter().toInstant();
        Instant wanted = now.plus(lifetime);
        byte[] toSign = certificate(
                issuer,
                key,
                now.minus(CLOCK_SKEW),
                wanted.isBefore(latest) ? wanted : latest,
                isLimited || isLimited(issuer),
                algorithm(credential.key()));
        byte[] signed = Der.value(
                Der.SEQUENCE,
                toSign,
                algorithm(credential.key()),
                Der.value(BIT_STRING, new byte[] {0}, signature(credential.key(), toSign)));
        List<X509Certificate> chain = new ArrayList<>();
        chain.add((X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed)));
        chain.addAll(credential.chain());
        return chain;
    }

    private byte[] certificate(
            X509Certificate issuer,
            PublicKey key,
            Instant notBefore,
            Instant notAfter,
            boolean isLimited,
            byte[] algorithm) {
        boolean isLegacy = isLegacy(issuer);
        byte[] serial = BigInteger.valueOf(random.nextInt(1, Integer.MAX_VALUE)).toByteArray();
        String name = isLegacy ? (isLimited ? "limited proxy" : "proxy") : new BigInteger(serial).toString();
        byte[] issuerName = issuer.getSubjectX500Principal().getEncoded();
        return Der.value(
                Der.SEQUENCE,
                Der.value(EXPLICIT_0, Der.value(Der.INTEGER, new byte[] {2})),
                // a legacy proxy bears its issuer's number
                Der.value(Der.INTEGER, isLegacy ? issuer.getSerialNumber().toByteArray() : serial),
                algorithm,
                issuerName,
                Der.value(Der.SEQUENCE, time(notBefore), time(notAfter)),
                below(issuerName, name),
                key.getEncoded(),
                isLegacy ? new byte[0] : extensions(isLimited));
    }

    private static byte[] below(byte[] name, String commonName) {
        Der.Reader reader = new Der.Reader(name);
        reader.next();
        byte[] part = Der.value(
                Der.SET,
                Der.value(
                        Der.SEQUENCE,
                        Der.value(Der.OBJECT_IDENTIFIER, COMMON_NAME),
                        Der.value(PRINTABLE_STRING, commonName.getBytes(StandardCharsets.US_ASCII))));
        return Der.value(Der.SEQUENCE, reader.content(), part);
    }

    private static byte[] extensions(boolean isLimited) {
        byte[] policy = Der.value(Der.SEQUENCE, Der.value(Der.OBJECT_IDENTIFIER, isLimited ? LIMITED : INHERIT_ALL));
        return Der.value(
                EXPLICIT_3,
                Der.value(
                        Der.SEQUENCE,
                        extension(KEY_USAGE, USES),
                        extension(PROXY_INFORMATION, Der.value(Der.SEQUENCE, policy))));
    }

    private static byte[] extension(byte[] identifier, byte[] value) {
        return Der.value(
                Der.SEQUENCE,
                Der.value(Der.OBJECT_IDENTIFIER, identifier),
                Der.value(BOOLEAN, new byte[] {(byte) 0xFF}), // critical
                Der.value(Der.OCTET_STRING, value));
    }

    private static byte[] time(Instant time) {
        boolean isLong = time.atZone(ZoneOffset.UTC).getYear() >= YEAR_OF_GENERALIZED_TIME;
        return Der.value(
                isLong ? GENERALIZED_TIME : UTC_TIME,
                (isLong ? LONG : SHORT).format(time).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] algorithm(PrivateKey key) {
        return isRsa(key)
                ? Der.value(
                        Der.SEQUENCE,
                        Der.value(Der.OBJECT_IDENTIFIER, SHA256_WITH_RSA),
                        Der.value(Der.NULL, new byte[0]))
                : Der.value(Der.SEQUENCE, Der.value(Der.OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
    }

    private static boolean isRsa(PrivateKey key) {
        return key.getAlgorithm().equals("RSA");
    }

    private static byte[] signature(PrivateKey key, byte[] toSign) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(isRsa(key) ? "SHA256withRSA" : "SHA256withECDSA");
        signature.initSign(key);
        signature.update(toSign);
        return signature.sign();
    }

    private static boolean isLegacy(X509Certificate issuer) {
        return issuer.getExtensionValue(PROXY_OID) == null && ServerTrust.isProxy(issuer);
    }

    /** Whether the certificate is of a limited proxy. */
    public static boolean isLimited(X509Certificate certificate) {
        byte[] information = certificate.getExtensionValue(PROXY_OID);
        if (information == null) {
            return ServerTrust.isProxy(certificate)
                    && certificate.getSubjectX500Principal().getName().startsWith("CN=limited proxy");
        }
        return contains(information, LIMITED);
    }

    private static boolean contains(byte[] all, byte[] part) {
        for (int at = 0; at + part.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    /** The chain as a PkiPath: the newest certificate last. */
    public static byte[] pkiPath(List<X509Certificate> chain) throws GeneralSecurityException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (X509Certificate certificate : chain.reversed()) {
            all.writeBytes(certificate.getEncoded());
        }
        return Der.value(Der.SEQUENCE, all.toByteArray());
    }

    /**
     * The newest certificate of a PkiPath.
     *
     * @throws GeneralSecurityException it is none
     */
    public static X509Certificate newestOf(byte[] pkiPath) throws GeneralSecurityException {
        try {
            Der.Reader outer = new Der.Reader(pkiPath);
            outer.next();
            Der.Reader certificates = outer.inside();
            byte[] newest = new byte[0];
            while (certificates.hasNext()) {
                certificates.next();
                newest = Der.value(Der.SEQUENCE, certificates.content());
            }
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(newest));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the chain is broken: " + e.getMessage(), e);
        }
    }
}
