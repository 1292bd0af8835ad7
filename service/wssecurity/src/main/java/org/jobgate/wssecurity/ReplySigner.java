// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.PrivateKey;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Element;

/**
 * Signs replies with the service's own key: Timestamp, Body and all header blocks, by rsa-sha256 or ecdsa-sha256, its certificate as an
 * X509v3 token. GT4's clients take that (facts/gt4-wire.md section 4, 1.10), though they sign with SHA-1 themselves.
 */
final class ReplySigner {

    private static final int SECONDS_TO_LIVE = 300;
    private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

    private final ServiceCrypto crypto;
    private final String algorithm;
    private final SecuritySettings settings;

    ReplySigner(ServiceCrypto crypto, PrivateKey key, SecuritySettings settings) {
        this.crypto = crypto;
        this.algorithm = MORE + (key.getAlgorithm().equals("RSA") ? "rsa-sha256" : "ecdsa-sha256");
        this.settings = settings;
    }

    byte[] signed(byte[] reply) {
        Envelope envelope = Envelope.parse(reply, settings.depth());
        try {
            WSSecHeader header = new WSSecHeader(envelope.document());
            header.insertSecurityHeader();
            WSSecTimestamp timestamp = new WSSecTimestamp(header);
            timestamp.setTimeToLive(SECONDS_TO_LIVE);
            timestamp.build();
            WSSecSignature signature = new WSSecSignature(header);
            signature.setUserInfo(ServiceCrypto.OWN, ServiceCrypto.PASSWORD);
            signature.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
            signature.setSignatureAlgorithm(algorithm);
            signature.setDigestAlgo(Names.XENC + "sha256");
            signature.getParts().add(part(envelope.body()));
            signature.getParts().add(new WSEncryptionPart("Timestamp", Names.WSU, "Element"));
            envelope.headers().stream()
                    .filter(block -> !Envelope.is(block, Names.WSSE, "Security"))
                    .forEach(block -> signature.getParts().add(part(block)));
            signature.build(crypto);
        } catch (WSSecurityException e) {
            throw new IllegalStateException("the reply cannot be signed", e);
        }
        return envelope.bytes();
    }

    private static WSEncryptionPart part(Element element) {
        return new WSEncryptionPart(element.getLocalName(), element.getNamespaceURI(), "Element");
    }
}
