// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.cert.X509AttributeCertificateHolder;
import org.bouncycastle.voms.VOMSAttribute;

/**
 * What a VOMS server said of a proxy's owner, as it stands in the proxy (its extension 1.3.6.1.4.1.8005.100.100.5). Only read: whether the
 * server may be believed is the service's to judge.
 *
 * @param vo the virtual organization
 * @param server host and port
 * @param fqans groups and roles, the primary one first
 * @param end when it ends
 */
record VomsExtension(String vo, String server, List<String> fqans, Instant end) {
    private static final String EXTENSION = "1.3.6.1.4.1.8005.100.100.5";

    VomsExtension {
        fqans = List.copyOf(fqans);
    }

    /**
     * All of a chain, in its order.
     *
     * @throws IllegalArgumentException an extension is broken
     */
    static List<VomsExtension> of(List<X509Certificate> chain) {
        List<VomsExtension> found = new ArrayList<>();
        for (X509Certificate certificate : chain) {
            byte[] extension = certificate.getExtensionValue(EXTENSION);
            if (extension != null) {
                ASN1Sequence lists = ASN1Sequence.getInstance(
                        ASN1OctetString.getInstance(extension).getOctets());
                for (ASN1Encodable list : lists) {
                    for (ASN1Encodable one : ASN1Sequence.getInstance(list)) {
                        found.add(read(one));
                    }
                }
            }
        }
        return found;
    }

    @SuppressWarnings("JavaUtilDate") // what the library gives
    private static VomsExtension read(ASN1Encodable certificate) {
        try {
            X509AttributeCertificateHolder holder = new X509AttributeCertificateHolder(
                    certificate.toASN1Primitive().getEncoded());
            VOMSAttribute attribute = new VOMSAttribute(holder);
            List<String> fqans = new ArrayList<>();
            for (Object fqan : attribute.getFullyQualifiedAttributes()) {
                fqans.add(fqan.toString());
            }
            return new VomsExtension(
                    attribute.getVO(),
                    attribute.getHostPort(),
                    fqans,
                    holder.getNotAfter().toInstant());
        } catch (IOException e) {
            throw new IllegalArgumentException("the VOMS attributes cannot be read: " + e.getMessage(), e);
        }
    }
}
