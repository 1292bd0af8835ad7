// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecDKSign;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Document;
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

    /**
     * How a message of a conversation is signed, so that its reply is signed likewise.
     *
     * @param algorithm of the signature
     * @param digest of the signed parts
     * @param length of the derived key, in bytes
     */
    record Manner(String algorithm, String digest, int length) {

        /** The manner of a message whose shape has been checked, and that was signed with a derived key. */
        static Manner of(Element security) {
            Element signature =
                    Envelope.children(security, Names.DS, "Signature").getFirst();
            Element info = Envelope.children(signature, Names.DS, "SignedInfo").getFirst();
            Element reference = Envelope.children(info, Names.DS, "Reference").getFirst();
            Element keyInfo = Envelope.children(signature, Names.DS, "KeyInfo").getFirst();
            String key = ((Element) keyInfo.getElementsByTagNameNS(Names.WSSE, "Reference")
                            .item(0))
                    .getAttribute("URI");
            return new Manner(
                    algorithm(info, "SignatureMethod"),
                    algorithm(reference, "DigestMethod"),
                    ContextShape.length(ContextShape.derivedKey(security, key).orElseThrow()));
        }

        private static String algorithm(Element parent, String name) {
            return Envelope.children(parent, Names.DS, name).getFirst().getAttribute("Algorithm");
        }
    }

    /** Signed with the service's own key. */
    byte[] signed(byte[] reply) {
        return signed(reply, (header, parts) -> {
            WSSecSignature signature = new PlainSignature(header);
            signature.setUserInfo(ServiceCrypto.OWN, ServiceCrypto.PASSWORD);
            signature.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
            signature.setSignatureAlgorithm(algorithm);
            signature.setDigestAlgo(Names.XENC + "sha256");
            signature.getParts().addAll(parts);
            signature.build(crypto);
        });
    }

    /** Signed with a key that is derived from a context's. */
    byte[] signed(byte[] reply, Conversations.Key key, Manner manner) {
        return signed(reply, (header, parts) -> {
            WSSecDKSign signature = new PlainDerivedSignature(header);
            signature.setWscVersion(key.dialect().version());
            signature.setStrElem(reference(header.getSecurityHeaderElement(), key));
            signature.setDerivedKeyLength(manner.length());
            signature.setSignatureAlgorithm(manner.algorithm());
            signature.setDigestAlgorithm(manner.digest());
            signature.getParts().addAll(parts);
            signature.build(key.secret());
        });
    }

    /** The context, which is not in the reply, by its URI. */
    private static Element reference(Element security, Conversations.Key key) {
        Document document = security.getOwnerDocument();
        Element reference = document.createElementNS(Names.WSSE, "wsse:Reference");
        reference.setAttributeNS(null, "URI", key.id());
        reference.setAttributeNS(null, "ValueType", key.dialect().tokenType());
        if (!key.instance().isEmpty()) {
            reference.setAttributeNS(key.dialect().conversation(), "wsc:Instance", key.instance());
        }
        Element around = document.createElementNS(Names.WSSE, "wsse:SecurityTokenReference");
        around.appendChild(reference);
        return around;
    }

    /**
     * A signature whose CanonicalizationMethod lists no prefixes: GT 4.0's clients do not verify one that does. Each Reference keeps its
     * list, which they take and which has the declarations signed that values such as {@code xsi:type} rely on.
     */
    private static final class PlainSignature extends WSSecSignature {

        PlainSignature(WSSecHeader header) {
            super(header);
        }

        @Override
        public void prepare(Crypto keys) throws WSSecurityException {
            setAddInclusivePrefixes(false);
            super.prepare(keys);
            setAddInclusivePrefixes(true);
        }
    }

    /** The same with a derived key. */
    private static final class PlainDerivedSignature extends WSSecDKSign {

        PlainDerivedSignature(WSSecHeader header) {
            super(header);
        }

        @Override
        public void prepare(byte[] secret) throws WSSecurityException {
            setAddInclusivePrefixes(false);
            super.prepare(secret);
            setAddInclusivePrefixes(true);
        }
    }

    /** Makes the signature itself. */
    private interface Signing {
        void sign(WSSecHeader header, List<WSEncryptionPart> parts) throws WSSecurityException;
    }

    private byte[] signed(byte[] reply, Signing signing) {
        Envelope envelope = Envelope.parse(reply, settings.depth());
        try {
            WSSecHeader header = new WSSecHeader(envelope.document());
            header.insertSecurityHeader();
            WSSecTimestamp timestamp = new WSSecTimestamp(header);
            timestamp.setTimeToLive(SECONDS_TO_LIVE);
            timestamp.build();
            List<WSEncryptionPart> parts = new ArrayList<>();
            parts.add(part(envelope.body()));
            parts.add(new WSEncryptionPart("Timestamp", Names.WSU, "Element"));
            envelope.headers().stream()
                    .filter(block -> !Envelope.is(block, Names.WSSE, "Security"))
                    .forEach(block -> parts.add(part(block)));
            signing.sign(header, parts);
        } catch (WSSecurityException e) {
            throw new IllegalStateException("the reply cannot be signed", e);
        }
        return envelope.bytes();
    }

    private static WSEncryptionPart part(Element element) {
        return new WSEncryptionPart(element.getLocalName(), element.getNamespaceURI(), "Element");
    }
}
