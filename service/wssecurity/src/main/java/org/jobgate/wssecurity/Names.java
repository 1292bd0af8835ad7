// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Set;

/** Names on the wire, of WS-Security 1.0, XML Signature and XML Encryption. */
final class Names {

    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    static final String WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    static final String DS = "http://www.w3.org/2000/09/xmldsig#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
    private static final String X509 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0";

    static final Set<String> TOKEN_TYPES = Set.of(X509 + "#X509PKIPathv1", X509 + "#X509v3");
    static final String BASE64 =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";

    private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

    static final Set<String> SIGNATURES = Set.of(
            MORE + "rsa-sha256",
            MORE + "rsa-sha384",
            MORE + "rsa-sha512",
            MORE + "ecdsa-sha256",
            MORE + "ecdsa-sha384",
            MORE + "ecdsa-sha512");
    /** With a key that both sides have; P_SHA-1 and HMAC rest on SHA-1 in a way that its collisions do not touch. */
    static final Set<String> SYMMETRIC_SIGNATURES =
            Set.of(DS + "hmac-sha1", MORE + "hmac-sha256", MORE + "hmac-sha384", MORE + "hmac-sha512");

    static final Set<String> DIGESTS = Set.of(XENC + "sha256", MORE + "sha384", XENC + "sha512");
    static final Set<String> SHA1 = Set.of(DS + "rsa-sha1", DS + "sha1");

    /** Without PKCS#1 version 1.5 and without unauthenticated modes, which answer an attacker's questions. */
    static final Set<String> ENCRYPTIONS = Set.of(
            XENC + "rsa-oaep-mgf1p",
            "http://www.w3.org/2009/xmlenc11#rsa-oaep",
            "http://www.w3.org/2009/xmlenc11#aes128-gcm",
            "http://www.w3.org/2009/xmlenc11#aes256-gcm");

    static final Set<String> ADDRESSING =
            Set.of("http://schemas.xmlsoap.org/ws/2004/03/addressing", "http://www.w3.org/2005/08/addressing");

    private Names() {}
}
