// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Chains of certificates on the wire. In memory the newest certificate is the first. */
public final class Chains {

    /** The longest that is taken: an end entity, its authorities, and a long row of delegations. */
    public static final int MAX_CERTIFICATES = 16;

    /** More bytes can be no chain of so many. */
    public static final int MAX_BYTES = 128 * 1024;

    private Chains() {}

    /** The chain of a PkiPath (X.509 annex; the newest certificate is the last on the wire). */
    public static List<X509Certificate> ofPkiPath(byte[] der) throws CertificateException {
        refuseTooLong(der.length);
        CertPath path = factory().generateCertPath(new ByteArrayInputStream(der), "PkiPath");
        return checked(path.getCertificates());
    }

    /** The PkiPath of a chain. */
    public static byte[] toPkiPath(List<X509Certificate> chain) throws CertificateException {
        return factory().generateCertPath(chain).getEncoded("PkiPath");
    }

    /** The chain of a PEM text, in its order; what is between the certificates is skipped. */
    public static List<X509Certificate> ofPem(String pem) throws CertificateException {
        refuseTooLong(pem.length());
        return checked(factory()
                .generateCertificates(new ByteArrayInputStream(pem.strip().getBytes(StandardCharsets.US_ASCII))));
    }

    private static void refuseTooLong(int bytes) throws CertificateException {
        if (bytes > MAX_BYTES) {
            throw new CertificateException("it has " + bytes + " bytes; at most " + MAX_BYTES + " are read");
        }
    }

    private static List<X509Certificate> checked(Collection<? extends Certificate> certificates)
            throws CertificateException {
        if (certificates.isEmpty() || certificates.size() > MAX_CERTIFICATES) {
            throw new CertificateException(
                    "it has " + certificates.size() + " certificates; 1 to " + MAX_CERTIFICATES + " are taken");
        }
        return certificates.stream().map(X509Certificate.class::cast).toList();
    }

    private static CertificateFactory factory() throws CertificateException {
        return CertificateFactory.getInstance("X.509");
    }
}
