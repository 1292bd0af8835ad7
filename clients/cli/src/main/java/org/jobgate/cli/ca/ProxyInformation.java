// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ca;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERSequence;
import org.jspecify.annotations.Nullable;

/**
 * The proxy certificate information of RFC 3820 (section 3.8).
 *
 * @param language the policy language; null for one that is not known here
 * @param depth how many further proxies may be made; null for any number
 */
public record ProxyInformation(
        @Nullable ProxyKind language, @Nullable Integer depth) {
    static final ASN1ObjectIdentifier EXTENSION = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");

    /**
     * What a certificate says of itself; nothing where it is no proxy of RFC 3820.
     *
     * @throws IllegalArgumentException the extension is broken
     */
    public static Optional<ProxyInformation> of(X509Certificate certificate) {
        byte[] extension = certificate.getExtensionValue(EXTENSION.getId());
        if (extension == null) {
            return Optional.empty();
        }
        Integer depth = null;
        ProxyKind kind = null;
        for (ASN1Encodable part :
                ASN1Sequence.getInstance(ASN1OctetString.getInstance(extension).getOctets())) {
            if (part instanceof ASN1Integer number) {
                depth = number.intValueExact();
            } else {
                kind = kind(ASN1ObjectIdentifier.getInstance(
                        ASN1Sequence.getInstance(part).getObjectAt(0)));
            }
        }
        return Optional.of(new ProxyInformation(kind, depth));
    }

    private static @Nullable ProxyKind kind(ASN1ObjectIdentifier language) {
        for (ProxyKind kind : ProxyKind.values()) {
            if (kind.language().equals(language)) {
                return kind;
            }
        }
        return null;
    }

    static DERSequence encoded(ProxyKind kind, @Nullable Integer depth) {
        ASN1EncodableVector information = new ASN1EncodableVector();
        if (depth != null) {
            information.add(new ASN1Integer(depth));
        }
        information.add(new DERSequence(kind.language()));
        return new DERSequence(information);
    }
}
