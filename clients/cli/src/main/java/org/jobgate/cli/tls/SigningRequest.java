// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** A request for a certificate (PKCS #10, RFC 2986), as a delegation service answers it, and the chain that is sent for it. */
public final class SigningRequest {

    private static final List<String> TYPES = List.of("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST");

    private SigningRequest() {}

    /**
     * The key that a certificate is wanted for.
     *
     * @param pem the request in PEM
     * @throws GeneralSecurityException it is no request, or of a key of neither RSA nor an elliptic curve
     */
    public static PublicKey keyOf(String pem) throws GeneralSecurityException {
        try {
            return keyOf(Pem.sections(pem).stream()
                    .filter(section -> TYPES.contains(section.type()))
                    .findFirst()
                    .orElseThrow(() -> new GeneralSecurityException("it is no request for a certificate"))
                    .data());
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the request for a certificate is broken: " + e.getMessage(), e);
        }
    }

    /**
     * The same of a request in DER.
     *
     * @throws GeneralSecurityException it is no request, or of a key of neither RSA nor an elliptic curve
     */
    public static PublicKey keyOf(byte[] der) throws GeneralSecurityException {
        try {
            Der.Reader outer = new Der.Reader(der);
            outer.next();
            Der.Reader signed = outer.inside();
            signed.next();
            Der.Reader information = signed.inside();
            information.next(); // version
            information.next(); // subject
            information.next();
            byte[] key = Der.value(Der.SEQUENCE, information.content());
            return key(key);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new GeneralSecurityException("the request for a certificate is broken: " + e.getMessage(), e);
        }
    }

    private static PublicKey key(byte[] encoded) throws GeneralSecurityException {
        try {
            return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException notRsa) {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
        }
    }

    /** Certificates in PEM, in their order. */
    public static String pem(List<X509Certificate> chain) throws GeneralSecurityException {
        StringBuilder out = new StringBuilder(2000 * chain.size());
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        for (X509Certificate certificate : chain) {
            out.append("-----BEGIN CERTIFICATE-----\n");
            out.append(lines.encodeToString(certificate.getEncoded()));
            out.append("\n-----END CERTIFICATE-----\n");
        }
        return out.toString();
    }
}
