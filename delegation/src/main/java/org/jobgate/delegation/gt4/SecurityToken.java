// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * A chain of certificates as a {@code wsse:BinarySecurityToken}, which is a PkiPath (facts/gt4-wire.md section 4, 5); or, what GT4 did not
 * know, a bearer token in its place.
 */
final class SecurityToken {

    private SecurityToken() {}

    /** What a request holds. */
    sealed interface Content {

        /** A chain, its newest certificate first. */
        record Chain(List<X509Certificate> certificates) implements Content {
            public Chain {
                certificates = List.copyOf(certificates);
            }
        }

        /** A bearer token, unread. */
        record WebToken(String token) implements Content {

            /** Without anything secret. */
            @Override
            public String toString() {
                return "a token";
            }
        }
    }

    /**
     * What is delegated with a request.
     *
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} saying what is wrong with it
     */
    static Content read(XmlElement request) {
        XmlElement token = request.child(Gt4Names.TOKEN.getLocalPart()).orElseThrow(() -> refused("there is none"));
        String form = token.attribute("ValueType").orElse(Gt4Names.PKI_PATH);
        try {
            byte[] content = Base64.getMimeDecoder().decode(token.text());
            return switch (form) {
                case Gt4Names.PKI_PATH -> new Content.Chain(Chains.ofPkiPath(content));
                case Gt4Names.WEB_TOKEN ->
                    new Content.WebToken(new String(content, StandardCharsets.ISO_8859_1).strip());
                default -> throw refused("its ValueType is " + ShortText.of(form, 200));
            };
        } catch (CertificateException e) {
            throw ChainAcceptance.unreadable(e);
        } catch (IllegalArgumentException e) {
            throw refused("it is not base64: " + e.getMessage());
        }
    }

    private static FaultException refused(String why) {
        return new FaultException(Fault.of(
                FaultCode.CREDENTIAL_UNUSABLE,
                "The request must hold one wsse:BinarySecurityToken with a chain of certificates or a token: " + why
                        + ".",
                "Send a PkiPath in base64, of ValueType " + Gt4Names.PKI_PATH
                        + "; or a JSON Web Token in base64, of ValueType " + Gt4Names.WEB_TOKEN + "."));
    }

    static void write(XmlWriter out, List<X509Certificate> chain) {
        try {
            out.open(Gt4Names.TOKEN).attribute("EncodingType", Gt4Names.BASE64);
            out.attribute("ValueType", Gt4Names.PKI_PATH);
            out.text(Base64.getEncoder().encodeToString(Chains.toPkiPath(chain)))
                    .close();
        } catch (CertificateException e) {
            throw new IllegalStateException("the service's own certificate cannot be written", e);
        }
    }
}
