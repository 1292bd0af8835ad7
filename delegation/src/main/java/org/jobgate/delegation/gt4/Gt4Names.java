// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlElement;

/**
 * Names on the wire. GT 4.0's clients use the namespace of 2004 and GT 4.2's that of 2008, but for some who ask for the chain in that of
 * 2004 (captures 61, 64 to 66): both are taken from everybody, and the answer is in the one asked. Only the key of a credential is always
 * named in that of 2004: clients repeat it as they got it (captures 57, 66).
 */
final class Gt4Names {

    static final String FACTORY_SERVICE = "DelegationFactoryService";
    static final String SERVICE = "DelegationService";

    static final String NAMESPACE = "http://www.globus.org/08/2004/delegationService";
    static final String NAMESPACE_42 = "http://www.globus.org/01/2008/delegationService";
    private static final String TRUST = "http://schemas.xmlsoap.org/ws/2004/04/trust";
    private static final String SECURITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

    static final QName KEY = deleg(NAMESPACE, "DelegationKey");

    private static final String CERTIFICATE_CHAIN = "CertificateChain";

    static final QName REQUEST = new QName(TRUST, "RequestSecurityToken", "wst");
    static final QName RESPONSE = new QName(TRUST, "RequestSecurityTokenResponse", "wst");
    static final QName TOKEN = new QName(SECURITY, "BinarySecurityToken", "wsse");

    /** The only form of token that GT4's clients take (facts/gt4-wire.md section 4, 5 CertificateChain). */
    static final String PKI_PATH =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509PKIPathv1";

    /** RFC 7519 section 9. Of our own: GT4 came before tokens. */
    static final String WEB_TOKEN = "urn:ietf:params:oauth:token-type:jwt";

    static final String BASE64 =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";

    private Gt4Names() {}

    static QName deleg(String namespace, String local) {
        return new QName(namespace, local, "deleg");
    }

    static QName certificateChain(String namespace) {
        return deleg(namespace, CERTIFICATE_CHAIN);
    }

    static boolean isCertificateChain(QName name) {
        return is(name, CERTIFICATE_CHAIN);
    }

    static boolean isRefresh(QName name) {
        return is(name, "refreshRequest");
    }

    private static boolean is(QName name, String local) {
        return name.getLocalPart().equals(local)
                && (name.getNamespaceURI().equals(NAMESPACE)
                        || name.getNamespaceURI().equals(NAMESPACE_42));
    }

    /** The key of a credential that a request's header names, in either namespace. */
    static Optional<String> key(SoapCall call) {
        return call.headerText(KEY).or(() -> call.headerText(deleg(NAMESPACE_42, KEY.getLocalPart())));
    }

    /** The namespace that a request asks in: that of its action, where its body is of neither; otherwise its generation's. */
    static String asked(SoapCall call) {
        String action = call.headerText(Generation.ofShared(call).addressing("Action"))
                .orElse("")
                .strip();
        if (action.startsWith(NAMESPACE_42 + "/")) {
            return NAMESPACE_42;
        }
        return action.startsWith(NAMESPACE + "/") ? NAMESPACE : of(Generation.ofShared(call));
    }

    /** The namespace that an expression with names of ours asks in: the one that has a prefix there; otherwise its generation's. */
    static String asked(Generation generation, XmlElement expression) {
        String usual = of(generation);
        String other = usual.equals(NAMESPACE) ? NAMESPACE_42 : NAMESPACE;
        return expression.isBound(other) && !expression.isBound(usual) ? other : usual;
    }

    /** What clients of the generation use. */
    private static String of(Generation generation) {
        return generation == Generation.GT40 ? NAMESPACE : NAMESPACE_42;
    }

    static String action(String namespace, String message) {
        return namespace + "/" + message;
    }
}
