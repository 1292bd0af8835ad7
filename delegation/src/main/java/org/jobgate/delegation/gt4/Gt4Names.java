// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import javax.xml.namespace.QName;
import org.jobgate.gram.wsrf.Generation;

/** Names on the wire. The namespace is that of 2004 in both generations; only GT 4.2's actions have their own (captures 57, 61). */
final class Gt4Names {

    static final String FACTORY_SERVICE = "DelegationFactoryService";
    static final String SERVICE = "DelegationService";

    static final String NAMESPACE = "http://www.globus.org/08/2004/delegationService";
    private static final String NAMESPACE_42 = "http://www.globus.org/01/2008/delegationService";
    private static final String TRUST = "http://schemas.xmlsoap.org/ws/2004/04/trust";
    private static final String SECURITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

    static final QName KEY = deleg("DelegationKey");
    static final QName CERTIFICATE_CHAIN = deleg("CertificateChain");
    static final QName FACTORY_PROPERTIES = deleg("RPSet");
    static final QName SERVICE_PROPERTIES = deleg("DelegationPortTypeGTWSDLResourceProperties");
    static final QName REFRESH = deleg("refreshRequest");
    static final QName REFRESHED = deleg("voidElemType");
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

    private static QName deleg(String local) {
        return new QName(NAMESPACE, local, "deleg");
    }

    static String action(Generation generation, String message) {
        return (generation == Generation.GT40 ? NAMESPACE : NAMESPACE_42) + "/" + message;
    }
}
