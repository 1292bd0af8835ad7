// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Proxies (RFC 3820) that are made of delegated credentials: for jobs, and for services to which a credential is delegated further. */
public final class FurtherProxies {

    private static final Logger LOG = LoggerFactory.getLogger(FurtherProxies.class);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    /** RFC 3820 section 3.8, and what Globus had before it. */
    private static final ASN1ObjectIdentifier INFORMATION = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");

    private static final ASN1ObjectIdentifier DRAFT_INFORMATION = new ASN1ObjectIdentifier("1.3.6.1.4.1.3536.1.222");
    private static final ASN1ObjectIdentifier INHERIT_ALL = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.21.1");

    /** Globus: may move files, must not start jobs. */
    private static final ASN1ObjectIdentifier LIMITED = new ASN1ObjectIdentifier("1.3.6.1.4.1.3536.1.1.1.9");

    private FurtherProxies() {}

    /**
     * Signs a proxy over this key, which ends when the credential does and is limited where that is. It is of the kind of the credential
     * (RFC 3820, the draft of GSI-3, or legacy), for kinds must not be mixed.
     *
     * @return the proxy and the credential's own chain
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} if none can be made of it
     */
    public static X509Certificate[] over(DelegatedProxy credential, PublicKey key, Clock clock) {
        try {
            List<X509Certificate> chain = new ArrayList<>(credential.chain());
            chain.addFirst(signed(credential, key, clock));
            return chain.toArray(X509Certificate[]::new);
        } catch (GeneralSecurityException | IOException | OperatorCreationException | RuntimeException e) {
            LOG.warn("No proxy can be made of the {}", credential, e);
            throw new FaultException(
                    Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE,
                            "No further proxy can be made of the delegated credential "
                                    + ShortText.of(credential.key(), 64) + ".",
                            "Delegate another one; if that does not help, ask the administrator, whose log says why."),
                    e);
        }
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private static X509Certificate signed(DelegatedProxy credential, PublicKey key, Clock clock)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X509Certificate issuer = credential.chain().getFirst();
        Optional<ASN1ObjectIdentifier> kind = kindOf(issuer);
        // a legacy proxy bears its issuer's number
        BigInteger serial = kind.isPresent()
                ? BigInteger.valueOf(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE))
                : issuer.getSerialNumber();
        String legacyName = credential.limited() ? "limited proxy" : "proxy";
        X500Name name = X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder proxy = new X509v3CertificateBuilder(
                name,
                serial,
                Date.from(clock.instant().minus(CLOCK_SKEW)),
                Date.from(credential.terminates()),
                below(name, kind.isPresent() ? serial.toString() : legacyName),
                SubjectPublicKeyInfo.getInstance(key.getEncoded()));
        proxy.addExtension(Extension.keyUsage, true, new KeyUsage(uses(credential.chain())));
        if (kind.isPresent()) {
            ASN1ObjectIdentifier policy = credential.limited() ? LIMITED : INHERIT_ALL;
            proxy.addExtension(kind.get(), true, new DERSequence(new DERSequence(policy)));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(proxy.build(new JcaContentSignerBuilder(algorithm(credential.privateKey()))
                        .build(credential.privateKey())));
    }

    /** By our key: the credential's own certificate is signed by its owner's, which may be of another kind. */
    private static String algorithm(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    /** The extension that says that a certificate is a proxy, and what it may do; empty for legacy ones, whose name says it. */
    private static Optional<ASN1ObjectIdentifier> kindOf(X509Certificate issuer) {
        if (issuer.getExtensionValue(DRAFT_INFORMATION.getId()) != null) {
            return Optional.of(DRAFT_INFORMATION);
        }
        boolean isLegacy = ProxyUtils.isProxy(issuer) && issuer.getExtensionValue(INFORMATION.getId()) == null;
        return isLegacy ? Optional.empty() : Optional.of(INFORMATION);
    }

    private static X500Name below(X500Name name, String commonName) {
        RDN[] parts = Arrays.copyOf(name.getRDNs(), name.getRDNs().length + 1);
        parts[parts.length - 1] = new RDN(BCStyle.CN, new DERPrintableString(commonName));
        return new X500Name(parts);
    }

    /** To sign always, as TLS wants it; to encipher where all of the chain may (by the order of the bits in RFC 5280, 4.2.1.3). */
    private static int uses(List<X509Certificate> chain) {
        int uses = KeyUsage.digitalSignature;
        uses |= allMay(chain, 2) ? KeyUsage.keyEncipherment : 0;
        uses |= allMay(chain, 3) ? KeyUsage.dataEncipherment : 0;
        return uses;
    }

    private static boolean allMay(List<X509Certificate> chain, int bit) {
        return chain.stream().map(X509Certificate::getKeyUsage).allMatch(may -> may == null || may[bit]);
    }

    /**
     * Answers a certificate request of another service.
     *
     * @param request (PKCS#10) in PEM; what it says but its key means nothing
     * @return the proxy and the credential's own chain, in PEM
     * @throws IOException if the request cannot be read, or holds no RSA key of {@link KeyPool#BITS} bits or more
     */
    public static String answer(DelegatedProxy credential, String request, Clock clock) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : over(credential, key(request), clock)) {
                out.writeObject(certificate);
            }
        }
        return text.toString();
    }

    private static PublicKey key(String request) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            if (parser.readObject() instanceof PKCS10CertificationRequest asked
                    && new JcaPKCS10CertificationRequest(asked).getPublicKey() instanceof RSAPublicKey key
                    && key.getModulus().bitLength() >= KeyPool.BITS) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate request holds no key that can be read", e);
        }
        throw new IOException("there is no certificate request with an RSA key of " + KeyPool.BITS + " bits or more");
    }
}
