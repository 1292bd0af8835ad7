// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.KeyPair;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** A certificate request for a proxy. Its subject means nothing: the client gives the proxy its name. */
final class ProxyRequest {

    private static final X500Name SUBJECT = new X500Name("CN=proxy");

    private ProxyRequest() {}

    static String pem(KeyPair keys) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            PKCS10CertificationRequest request = new JcaPKCS10CertificationRequestBuilder(SUBJECT, keys.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate()));
            out.writeObject(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("every Java can sign with RSA", e);
        }
        return text.toString();
    }
}
