// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority for one test, what it issues, and who trusts it. */
final class GridPki {

    private static final X500Name AUTHORITY = new X500Name("CN=Test authority,O=Grid");

    private final KeyPair key = newKey();
    private final Path trust;

    GridPki(Path directory) throws Exception {
        this.trust = directory;
        X509Certificate own = sign(AUTHORITY, key, true, "");
        String pem = "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(own.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(own.getSubjectX500Principal(), true);
        Files.writeString(directory.resolve(hash + ".0"), pem);
    }

    static OpensslCertChainValidator validator(Path trust) {
        return new OpensslCertChainValidator(
                trust.toString(),
                true,
                NamespaceCheckingMode.EUGRIDPMA_GLOBUS,
                60_000,
                new ValidatorParams(
                        new RevocationParameters(CrlCheckingMode.IF_VALID, new OCSPParametes(OCSPCheckingMode.IGNORE)),
                        ProxySupport.ALLOW,
                        List.of()),
                false);
    }

    GsiSecurity security(X509Credential credential, Delegation delegation) {
        return new GsiSecurity(credential, validator(trust), delegation);
    }

    X509Credential host(String dnsName) throws Exception {
        return credential("CN=" + dnsName + ",O=Grid", dnsName);
    }

    X509Credential user(String name) throws Exception {
        return credential("CN=" + name + ",O=Grid", "");
    }

    private X509Credential credential(String subject, String dnsName) throws Exception {
        KeyPair own = newKey();
        return new KeyAndCertCredential(
                own.getPrivate(), new X509Certificate[] {sign(new X500Name(subject), own, false, dnsName)});
    }

    static X509Credential proxy(X509Credential of, Consumer<ProxyCertificateOptions> options) throws Exception {
        ProxyCertificateOptions chosen = new ProxyCertificateOptions(of.getCertificateChain());
        chosen.setKeyLength(2048);
        options.accept(chosen);
        ProxyCertificate proxy = ProxyGenerator.generate(chosen, of.getKey());
        return new KeyAndCertCredential(proxy.getPrivateKey(), proxy.getCertificateChain());
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private X509Certificate sign(X500Name subject, KeyPair of, boolean authority, String dnsName)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                AUTHORITY,
                BigInteger.valueOf(System.nanoTime()),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofHours(12))),
                subject,
                of.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        builder.addExtension(
                Extension.keyUsage,
                true,
                new KeyUsage(authority ? KeyUsage.keyCertSign : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        if (!dnsName.isEmpty()) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, dnsName)));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(key.getPrivate())));
    }
}
