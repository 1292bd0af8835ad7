// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import java.security.cert.CertificateException;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.jobgate.authz.AttributeNames;
import org.jobgate.job.Text;

/**
 * Distinguished names in the slash form that grids use, e.g. {@code /O=Grid/CN=Alice}: in the order of the certificate, with the
 * attribute names of OpenSSL, values as they are, a part of several attributes joined by {@code +}.
 *
 * <p>The form has no quoting. A name whose value could be read as another attribute ({@code CN=x/CN=Bob}) would be somebody else's
 * name in this form, so it is refused; a mere slash ({@code CN=host/gate.example.org}) is not.
 */
final class SubjectName {

    private static final int MAX_CHARACTERS = 1024;

    private static final Pattern AMBIGUOUS = Pattern.compile("[/+][A-Za-z0-9.]+=");

    private SubjectName() {}

    /**
     * The name in slash form.
     *
     * @throws CertificateException if it is empty, too long, ambiguous or holds something else than text
     */
    static String slashForm(X500Principal principal) throws CertificateException {
        StringBuilder text = new StringBuilder();
        for (RDN part : X500Name.getInstance(principal.getEncoded()).getRDNs()) {
            char separator = '/';
            for (AttributeTypeAndValue attribute : part.getTypesAndValues()) {
                text.append(separator).append(name(attribute)).append('=').append(value(attribute));
                separator = '+';
            }
        }
        try {
            return Text.requireText(text.toString(), "the subject", MAX_CHARACTERS);
        } catch (IllegalArgumentException e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }

    private static String name(AttributeTypeAndValue attribute) {
        return AttributeNames.of(attribute.getType().getId());
    }

    private static String value(AttributeTypeAndValue attribute) throws CertificateException {
        if (!(attribute.getValue() instanceof ASN1String string)) {
            throw new CertificateException("the subject's " + name(attribute) + " is not a text");
        }
        String value = string.getString();
        if (AMBIGUOUS.matcher(value).find()) {
            throw new CertificateException("the subject's " + name(attribute) + " = \"" + value
                    + "\" could be taken for several attributes in the slash form");
        }
        return value;
    }
}
